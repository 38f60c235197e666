import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { DocsError } from "../../api/http/errors";

interface Claim {
  readonly process: number;
  /** Where the process answers the engine. */
  readonly port?: number | undefined;
  /** The provider object, as messages name it. */
  readonly provider: string;
  readonly urn: string;
  /** The name that the engine gave to a provider of its own, which contains the version of the package. */
  readonly defaultName?: string | undefined;
}

/** An organization of one service: another service may have an organization with the same id. */
export interface ServedOrganization {
  /** The normalized address. */
  readonly service: string;
  readonly organizationId: string;
}

/**
 * Refuses two provider objects of one engine command that manage the same organization. Each is a process of its own and knows
 * only its own resources, so neither could refuse two resources for one subject, or keep the last administrator. The processes
 * of a command meet in files that are named after the engine's address.
 */
export class OneProvider {
  /** The file of each claim, by service and organization. Every change of a resource claims, and only the first one writes. */
  private readonly claimed = new Map<string, string>();

  constructor(
    private readonly engineAddress: string,
    private readonly own: Omit<Claim, "process">,
  ) {}

  /**
   * Records that this provider object manages resources of the organization. Refuses if another provider object does; the refusal
   * of a deletion, with `deletedUrn`, names other ways out.
   */
  claim(organization: ServedOrganization, deletedUrn?: string): void {
    const key = keyOf(organization);
    if (this.claimed.has(key)) return;
    const file = this.fileFor(key);
    const other = this.writeFirst(file);
    if (other) {
      const refused = { organizationId: organization.organizationId, own: this.own, other };
      throw deletedUrn === undefined ? refusal(refused) : deletionRefusal(refused, deletedUrn);
    }
    this.claimed.set(key, file);
  }

  /**
   * The port of the provider that deletes resources of the organization instead of this one: the default provider of another
   * version of the package. After an upgrade, the state records the former version for a resource that the program no longer
   * declares. Everything else has the current version, so only its provider knows what else manages the object.
   */
  findDeleter(organization: ServedOrganization): number | undefined {
    const key = keyOf(organization);
    if (this.own.defaultName === undefined || this.claimed.has(key)) return undefined;
    const otherClaim = readClaim(this.fileFor(key));
    return otherClaim?.defaultName !== undefined && this.isOther(otherClaim) ? otherClaim.port : undefined;
  }

  release(): void {
    for (const file of this.claimed.values()) rmSync(file, { force: true });
    this.claimed.clear();
  }

  /** Writes the own claim; returns the claim of another provider object instead, if there is one. */
  private writeFirst(file: string): Claim | undefined {
    const text = JSON.stringify({ process: process.pid, ...this.own });
    try {
      writeFileSync(file, text, { flag: "wx", mode: 0o600 });
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const presentClaim = readClaim(file);
    if (presentClaim && this.isOther(presentClaim)) return presentClaim;
    writeFileSync(`${file}.${process.pid}`, text, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
    return undefined;
  }

  /** A claim with the own URN is of this provider, started before. One of a dead process may be of an earlier engine at this address. */
  private isOther({ urn, process }: Claim): boolean {
    return urn !== this.own.urn && isAlive(process);
  }

  private fileFor(key: string): string {
    const name = createHash("sha256").update(`${this.engineAddress} ${key}`).digest("hex");
    return path.join(ownFolder(), `${name}.json`);
  }
}

const keyOf = ({ service, organizationId }: ServedOrganization): string => `${service} ${organizationId}`;

/** The folder for all commands of this user. Another user could have made it, to read claims or to answer deletions. */
function ownFolder(): string {
  const { username, uid } = userInfo();
  const folder = path.join(tmpdir(), `pulumi-docs-org-${username}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // Windows has no user ids, and a temporary folder for each user.
  if (uid === -1 || lstatSync(folder).uid === uid) return folder;
  throw new DocsError(
    `the folder ${folder} belongs to another user, so the processes of the provider cannot use it; remove it, or set the ` +
      "environment variable TMPDIR to a folder of your own",
  );
}

/** Returns `undefined` for a file that was left half written by a process that was killed. */
function readClaim(file: string): Claim | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Claim;
  } catch {
    return undefined;
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

interface Refused {
  readonly organizationId: string;
  readonly own: Pick<Claim, "provider" | "defaultName">;
  readonly other: Pick<Claim, "provider" | "defaultName">;
}

function refusal({ organizationId, own, other }: Refused): DocsError {
  const why =
    "each knows only its own resources, so they could undo each other's changes and remove the last administrator";
  if (own.defaultName !== undefined && other.defaultName !== undefined)
    return new DocsError(
      `two versions of the default provider manage organization ${organizationId} (${own.defaultName} and ${other.defaultName}); ` +
        `${why}. Use one version of the package for all resources of the program, and no option version`,
    );
  return new DocsError(
    `${own.provider} and ${other.provider} both manage organization ${organizationId}; ${why}. Use one provider object for all ` +
      "resources of the organization, with the option provider",
  );
}

/** The engine deletes after everything else, with the provider object that the state records. */
function deletionRefusal({ organizationId, own, other }: Refused, urn: string): DocsError {
  return new DocsError(
    [
      `this resource was not deleted: the state records ${own.provider} for it, and ${other.provider} manages organization ${organizationId} in ` +
        "the same command; each knows only its own resources, so the deletion could undo what the other manages. Nothing was sent.",
      "To move it to the other provider object, declare it there under its name in the state for one up, which changes nothing " +
        "at the service; rename or remove it afterwards.",
      "If a resource of the other provider object now manages the same object, remove this record of it from the state, which " +
        `changes nothing at the service: pulumi state delete '${urn}'`,
      `To delete the object at the service, delete it in a command of its own: pulumi destroy --target '${urn}'`,
    ].join("\n"),
  );
}
