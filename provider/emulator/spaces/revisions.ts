import { newId } from "../store/ids";
import { mergeContents } from "./merge";
import type { ChangeRequestRecord, Content, RevisionRecord, SpaceContent } from "./record";

/** Revisions: each change of a space or of a change request creates one. */

type Space = SpaceContent & { updatedAt: string };

/** The content of a space as its readers see it. */
export const primaryContent = (space: SpaceContent): Content => revisionOf(space, space.revision).content;

export function revisionOf({ revisions }: SpaceContent, id: string): RevisionRecord {
  const revision = revisions.get(id);
  if (revision) return revision;
  throw new Error(`there is no revision "${id}"`);
}

/** Id of the space's revision that the change request is based on: it branched from it, or pulled it in last. */
export const baseOf = ({ revisionInitial, revisionMergedAncestor }: ChangeRequestRecord) =>
  revisionMergedAncestor ?? revisionInitial;

/** Whether the space has a newer revision than the change request's base. A merged change request is never outdated. */
export const isOutdated = (space: SpaceContent, changeRequest: ChangeRequestRecord) =>
  changeRequest.status !== "merged" && baseOf(changeRequest) !== space.revision;

/** Finds a change request by id, otherwise by number. */
export function findChangeRequest({ changeRequests }: SpaceContent, ref: string): ChangeRequestRecord | undefined {
  const byId = changeRequests.get(ref);
  if (byId || !/^\d+$/.test(ref)) return byId;
  for (const one of changeRequests.values()) if (one.number === Number(ref)) return one;
  return undefined;
}

export interface NewChangeRequest {
  readonly id?: string | undefined;
  readonly subject?: string | undefined;
  readonly createdBy: string;
  readonly at: string;
  readonly sequence: number;
}

/** Branches a change request with status `draft` from the current revision of the space. */
export function openChangeRequest(space: SpaceContent, made: NewChangeRequest): ChangeRequestRecord {
  const changeRequest: ChangeRequestRecord = {
    id: made.id ?? newId("cr"),
    number: ++space.lastNumber,
    sequence: made.sequence,
    status: "draft",
    subject: made.subject ?? "",
    createdBy: made.createdBy,
    createdAt: made.at,
    updatedAt: made.at,
    revision: space.revision,
    revisionInitial: space.revision,
    comments: 0,
    contributors: [made.createdBy],
    requestedReviewers: [],
  };
  space.changeRequests.set(changeRequest.id, changeRequest);
  return changeRequest;
}

type NewRevision = Omit<RevisionRecord, "id">;

function addRevision({ revisions }: SpaceContent, made: NewRevision): string {
  const id = newId("revision");
  revisions.set(id, { id, ...made });
  return id;
}

/** Sets the primary content of the space in a new revision. */
export function commitToSpace(space: Space, content: Content, at: string): void {
  space.revision = addRevision(space, { parents: [space.revision], type: "edits", createdAt: at, content });
  space.updatedAt = at;
}

/** Sets the content of a change request in a new revision, edited by the user `by`. */
export function commitToChangeRequest(
  space: SpaceContent,
  changeRequest: ChangeRequestRecord,
  content: Content,
  { by, at }: { by: string; at: string },
): void {
  const parents = [changeRequest.revision];
  changeRequest.revision = addRevision(space, { parents, type: "edits", createdAt: at, content });
  changeRequest.updatedAt = at;
  if (!changeRequest.contributors.includes(by)) changeRequest.contributors.push(by);
}

export interface Outcome {
  readonly revision: string;
  readonly conflicts: boolean;
}

/** Merges a change request into the space. */
export function merge(space: Space, changeRequest: ChangeRequestRecord, by: string, at: string): Outcome {
  const { content, conflicts } = mergedContent(space, changeRequest);
  const parents = [space.revision, changeRequest.revision];
  const mergedFrom = changeRequest.id;
  const revision = addRevision(space, { parents, type: "merge", mergedFrom, createdAt: at, content });
  space.revision = revision;
  space.updatedAt = at;
  const settled = { status: "merged", revisionMerged: revision, mergedContent: changeRequest.revision } as const;
  Object.assign(changeRequest, settled, { updatedAt: at, mergedAt: at, mergedBy: by });
  return { revision, conflicts };
}

/** Pulls changes of the space into the change request; does nothing if it is up to date. */
export function pullIn(space: SpaceContent, changeRequest: ChangeRequestRecord, at: string): Outcome {
  if (baseOf(changeRequest) === space.revision) return { revision: changeRequest.revision, conflicts: false };
  const { content, conflicts } = mergedContent(space, changeRequest);
  const parents = [changeRequest.revision, space.revision];
  const revision = addRevision(space, { parents, type: "update", createdAt: at, content });
  const known = { revisionMergedAncestor: space.revision, mergedContent: undefined };
  Object.assign(changeRequest, { revision, ...known, updatedAt: at });
  return { revision, conflicts };
}

function mergedContent(space: SpaceContent, changeRequest: ChangeRequestRecord) {
  // After a merge, the space contains the merged content, so that content is the base for finding later changes.
  const base = revisionOf(space, changeRequest.mergedContent ?? baseOf(changeRequest)).content;
  return mergeContents(base, revisionOf(space, changeRequest.revision).content, primaryContent(space));
}
