import { deserialize, serialize } from "node:v8";
import { z } from "zod";
import { endpoints, type RowName } from "../../api/endpoints";
import { type Endpoint, isRead } from "../../api/schema/endpoint";
import { checkInput } from "../http/errors";
import type { PeopleRecords, SamlRecord } from "../members/record";
import type { SiteRecord } from "../sites/record";
import type { SpaceRecord } from "../spaces/record";
import type { TranslationRecord } from "../translations/record";

/**
 * Everything that the emulator stores: plain objects in maps, so that past states can be kept for reads that lag. Records hold
 * what the service would store; answers are derived from them. Tests may change records directly, like a person who uses the
 * service's user interface.
 */
export interface State {
  /** Number of the last record; increases with each one, so that lists keep their order after deletions. */
  sequence: number;
  readonly organizations: Map<string, OrganizationRecord>;
}

export interface OrganizationRecord extends PeopleRecords {
  readonly id: string;
  title: string;
  readonly createdAt: string;
  readonly spaces: Map<string, SpaceRecord>;
  readonly sites: Map<string, SiteRecord>;
  readonly saml: Map<string, SamlRecord>;
  readonly translations: Map<string, TranslationRecord>;
  /** User id of the member who owns the token: the first administrator by default. */
  caller: string | undefined;
}

/** Milliseconds by which reads lag: those of one operation, all `list…` operations, or all reads. The most specific one counts. */
export type ReadLag = Readonly<Partial<Record<RowName | "lists" | "all", number>>>;

/** Node.js fires timers with a longer delay at once. */
export const milliseconds = z
  .number()
  .min(0)
  .max(2 ** 31 - 1)
  .optional();

const reads = Object.entries<Endpoint>(endpoints).flatMap(([name, row]) => (isRead(row) ? [name] : []));
const readLag = z.strictObject(Object.fromEntries(["lists", "all", ...reads].map((name) => [name, milliseconds])));

/** Two kept versions are at least this part of the lag apart, which limits their number. */
const leastDistance = 1 / 100;

/** What the state was, for reads that lag behind writes. Without a lag, nothing is kept. */
export class Past {
  private lag: ReadLag = {};
  /** Former states, each with the time until which it held. Bytes become a state when a read needs it. */
  private versions: { readonly until: number; kept: Buffer | State }[] = [];

  constructor(
    private readonly state: State,
    private readonly now: () => Date,
  ) {}

  /** Replaces the lag; `{}` ends it. Throws a 400 if it is invalid. */
  setLag(asked: unknown): ReadLag {
    this.lag = checkInput(readLag, asked, ["readLag"]) as ReadLag;
    this.forget();
    return this.lag;
  }

  /** Keeps the state as it is; call it before each change. */
  keepBeforeChange(): void {
    this.forget();
    const longest = this.longestLag();
    const now = this.now().getTime();
    const last = this.versions.at(-1);
    const isTooClose = last !== undefined && now - last.until < longest * leastDistance;
    if (longest === 0 || isTooClose) return;
    this.versions.push({ until: now, kept: serialize(this.state) });
  }

  /** The state and the time that a read of the row shows; nothing if it does not lag. */
  shownTo(row: RowName): { readonly state: State; readonly now: () => Date } | undefined {
    const { lists, all } = this.lag;
    const generalLag = row.startsWith("list") ? (lists ?? all) : all;
    const rowLag = this.lag[row] ?? generalLag;
    if (!rowLag) return undefined;
    const shownTime = this.now().getTime() - rowLag;
    const version = this.versions.find(({ until }) => until > shownTime);
    if (Buffer.isBuffer(version?.kept)) version.kept = deserialize(version.kept) as State;
    return { state: (version?.kept as State | undefined) ?? this.state, now: () => new Date(shownTime) };
  }

  private longestLag(): number {
    return Math.max(0, ...Object.values(this.lag));
  }

  /** Forgets versions that reads no longer show. */
  private forget(): void {
    const oldest = this.now().getTime() - this.longestLag();
    this.versions = this.versions.filter(({ until }) => until > oldest);
  }
}
