import { newId } from "../store/ids";
import { merged } from "./merge";
import type { ChangeRequestRecord, Content, RevisionRecord, SpaceContent } from "./record";

/** How content moves on: each change of a space or of a change request makes a revision. */

type Space = SpaceContent & { updatedAt: string };

/** The content of a space as its readers see it. */
export const primaryContent = (space: SpaceContent): Content => revisionOf(space, space.revision).content;

export function revisionOf({ revisions }: SpaceContent, id: string): RevisionRecord {
  const revision = revisions.get(id);
  if (revision) return revision;
  throw new Error(`revision "${id}" is not there`);
}

/** The revision of the space that the change request knows: the one it branched from, or was updated to. */
export const baseOf = ({ revisionInitial, revisionMergedAncestor }: ChangeRequestRecord) =>
  revisionMergedAncestor ?? revisionInitial;

/** The space has moved on since; a merged change request is part of the space and never outdated. */
export const isOutdated = (space: SpaceContent, changeRequest: ChangeRequestRecord) =>
  changeRequest.status !== "merged" && baseOf(changeRequest) !== space.revision;

/** A change request by its id, else by its number. */
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

/** Branches a change request from the space as it is now. It starts as a draft. */
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

/** Gives the space new primary content. */
export function commitToSpace(space: Space, content: Content, at: string): void {
  space.revision = addRevision(space, { parents: [space.revision], type: "edits", createdAt: at, content });
  space.updatedAt = at;
}

/** Gives a change request new content, which `by` made. */
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

/** Makes the content of a change request that of the space, with what the space has got since. */
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

/** Brings what the space has got since into the change request; nothing when there is nothing. */
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
  // After a merge, what the change request had is in the space, and what the space changed since is the later.
  const base = revisionOf(space, changeRequest.mergedContent ?? baseOf(changeRequest)).content;
  return merged(base, revisionOf(space, changeRequest.revision).content, primaryContent(space));
}
