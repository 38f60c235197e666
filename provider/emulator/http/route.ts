import type { z } from "zod";
import type { Endpoints, RowName } from "../../api/endpoints";
import type { Endpoint, EventOf, PathParameters } from "../../api/schema/endpoint";
import type { MemberRecord, SamlRecord, TeamRecord } from "../members/record";
import type { SiteRecord } from "../sites/record";
import type { ChangeRequestRecord, FileRecord, PlacedPage, ReusableContentRecord, SpaceRecord } from "../spaces/record";
import type { RecordContext } from "../store/service";
import type { TranslationRecord } from "../translations/record";

/** The objects that parameters of a path name: `{siteId}` is the id of the `site`, `{userId}` that of the `member`. */
export interface PathObjects {
  readonly site: SiteRecord;
  readonly member: MemberRecord;
  readonly team: TeamRecord;
  readonly samlProvider: SamlRecord;
  readonly translation: TranslationRecord;
  readonly space: SpaceRecord;
  readonly changeRequest: ChangeRequestRecord;
  /** File, page and reusable content are those of the change request. */
  readonly file: FileRecord;
  readonly page: PlacedPage;
  readonly reusableContent: ReusableContentRecord;
}

type WithoutBrace<End> = End extends `${infer Name}}` ? Name : never;
type LastParameter<Path> = Path extends `${string}{${infer Rest}` ? LastParameter<Rest> : WithoutBrace<Path>;

/** Parameters whose objects exist. The last one of a DELETE may be gone already. */
type Existing<E extends Endpoint> = E["route"] extends `DELETE ${infer Path}`
  ? Exclude<PathParameters<E>, LastParameter<Path>>
  : PathParameters<E>;

type WithoutId<Name> = Name extends `${infer One}Id` ? One & keyof PathObjects : never;
type ObjectNamed<Name> = Name extends "userId" ? "member" : WithoutId<Name>;

/** One request for a row, parsed with the schemas of the row. */
export type RouteCall<E extends Endpoint = Endpoint> = RecordContext &
  Pick<PathObjects, ObjectNamed<Existing<E>>> & {
    readonly row: RowName;
    readonly path: { readonly [Name in PathParameters<E>]: string };
    readonly query: E["query"] extends z.ZodType ? z.output<E["query"]> : unknown;
    readonly body: E["body"] extends z.ZodType ? z.output<E["body"]> : unknown;
    /** Headers of the answer, to which a route may add. */
    readonly headers: Record<string, string>;
  };

/** Result of a DELETE: true (deleted), false (not found) or `"requested"` (newer versions ask the administrators). */
export type Deleted = boolean | "requested";

/**
 * An answer that lists every property, including optional ones. A new property in a row's schema breaks compilation until the
 * emulator answers it, or omits it explicitly with `undefined`.
 */
export type Complete<Answer> = Answer extends object ? { [Name in keyof Required<Answer>]: Answer[Name] } : Answer;

type EmptyResult<E extends Endpoint> = E["route"] extends `DELETE ${string}` ? Deleted : undefined;
type SingleResult<E extends Endpoint> = E["reply"] extends z.ZodType ? z.input<E["reply"]> : EmptyResult<E>;
type Result<E extends Endpoint> = E["events"] extends z.ZodType ? AsyncIterable<EventOf<E>> : SingleResult<E>;

/** Serves a row; throws a Refusal for an invalid request (errors.ts). */
export type Route<E extends Endpoint> = (call: RouteCall<E>) => Result<E>;

export type Routes = { readonly [Name in RowName]: Route<Endpoints[Name]> };
