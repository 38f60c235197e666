import { isDeepStrictEqual } from "node:util";
import { newId } from "../store/ids";
import {
  byId,
  type ChangeRequestRecord,
  type PageRecord,
  type RevisionRecord,
  type SpaceContent,
  type SpaceRecord,
} from "./record";

/** The content of a space as its readers see it. */
export const primaryContent = (space: SpaceRecord): SpaceContent => revisionOf(space, space.revision).content;

export function revisionOf({ revisions }: SpaceRecord, id: string): RevisionRecord {
  const revision = revisions.get(id);
  if (revision) return revision;
  throw new Error(`there is no revision "${id}"`);
}

export const contentOf = (place: { readonly space: SpaceRecord; readonly changeRequest: ChangeRequestRecord }) =>
  revisionOf(place.space, place.changeRequest.revision).content;

/** Id of the space's revision that the change request pulled in last, otherwise of the one from which it branched. */
export const baseOf = ({ revisionInitial, revisionMergedAncestor }: ChangeRequestRecord) =>
  revisionMergedAncestor ?? revisionInitial;

/** Whether the space has a newer revision than the change request's base. A merged change request is never outdated. */
export const isOutdated = (space: SpaceRecord, changeRequest: ChangeRequestRecord) =>
  changeRequest.status !== "merged" && baseOf(changeRequest) !== space.revision;

/** Finds a change request by id, otherwise by number. */
export function findChangeRequest({ changeRequests }: SpaceRecord, ref: string): ChangeRequestRecord | undefined {
  const withId = changeRequests.get(ref);
  if (withId || !/^\d+$/.test(ref)) return withId;
  for (const one of changeRequests.values()) if (one.number === Number(ref)) return one;
  return undefined;
}

type NewChangeRequest = Pick<ChangeRequestRecord, "createdBy" | "createdAt" | "sequence"> &
  Partial<ChangeRequestRecord>;

/** Branches a change request with status `draft` from the current revision of the space. */
export function openChangeRequest(space: SpaceRecord, settings: NewChangeRequest): ChangeRequestRecord {
  const { id = newId("cr"), createdBy, createdAt } = settings;
  const changeRequest: ChangeRequestRecord = {
    status: "draft",
    subject: "",
    comments: 0,
    contributors: [createdBy],
    requestedReviewers: [],
    ...settings,
    id,
    number: ++space.lastNumber,
    updatedAt: createdAt,
    revision: space.revision,
    revisionInitial: space.revision,
  };
  space.changeRequests.set(id, changeRequest);
  return changeRequest;
}

function addRevision({ revisions }: SpaceRecord, made: Omit<RevisionRecord, "id">): string {
  const id = newId("revision");
  revisions.set(id, { id, ...made });
  return id;
}

/** Sets the primary content of the space in a new revision. */
export function commitToSpace(space: SpaceRecord, content: SpaceContent, at: string): void {
  space.revision = addRevision(space, { parents: [space.revision], type: "edits", createdAt: at, content });
  space.updatedAt = at;
}

/** Sets the content of a change request in a new revision, edited by its creator. */
export function commitToChangeRequest(
  space: SpaceRecord,
  changeRequest: ChangeRequestRecord,
  content: SpaceContent,
  at: string,
): void {
  const parents = [changeRequest.revision];
  changeRequest.revision = addRevision(space, { parents, type: "edits", createdAt: at, content });
  changeRequest.updatedAt = at;
}

export function merge(space: SpaceRecord, changeRequest: ChangeRequestRecord, by: string, at: string) {
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
export function pullIn(space: SpaceRecord, changeRequest: ChangeRequestRecord, at: string) {
  if (baseOf(changeRequest) === space.revision) return { revision: changeRequest.revision, conflicts: false };
  const { content, conflicts } = mergedContent(space, changeRequest);
  const parents = [changeRequest.revision, space.revision];
  const revision = addRevision(space, { parents, type: "update", createdAt: at, content });
  const pulled = { revisionMergedAncestor: space.revision, mergedContent: undefined };
  Object.assign(changeRequest, { revision, ...pulled, updatedAt: at });
  return { revision, conflicts };
}

function mergedContent(space: SpaceRecord, changeRequest: ChangeRequestRecord) {
  // After a merge, the space contains the merged content, so that content is the base for finding later changes.
  const base = revisionOf(space, changeRequest.mergedContent ?? baseOf(changeRequest)).content;
  return mergeContents(base, revisionOf(space, changeRequest.revision).content, primaryContent(space));
}

/** Three-way merge: applies the changes of `ours` since `base` to `theirs`; in conflicts, `ours` wins. */
function mergeContents(base: SpaceContent, ours: SpaceContent, theirs: SpaceContent) {
  let conflicts = false;
  /** The value of the side that changed; that of `ours` if both did, which is noted as a conflict unless they are equal. */
  const choose = <Value>(was: Value, our: Value, their: Value): Value => {
    if (isDeepStrictEqual(was, our)) return their;
    if (!isDeepStrictEqual(was, their) && !isDeepStrictEqual(our, their)) conflicts = true;
    return our;
  };
  /** Objects in the order of `theirs`, followed by the additions of `ours`. */
  const mergeObjects = <Value>(
    objectsIn: (content: SpaceContent) => ReadonlyMap<string, Value>,
  ): Map<string, Value> => {
    const [was, our, their] = [objectsIn(base), objectsIn(ours), objectsIn(theirs)];
    const merged = new Map<string, Value>();
    for (const key of [...their.keys(), ...our.keys()]) {
      const value = choose(was.get(key), our.get(key), their.get(key));
      if (value !== undefined) merged.set(key, value);
    }
    return merged;
  };
  const pages = mergeObjects(({ pages }) => byId(pages));
  const placed = [...pages.values()].map((page): PageRecord => {
    if (page.parent === undefined || pages.has(page.parent)) return page;
    // The other side deleted the page above it.
    conflicts = true;
    return { ...page, parent: undefined };
  });
  const content: SpaceContent = {
    pages: placed,
    files: [...mergeObjects(({ files }) => byId(files)).values()],
    reusableContents: [...mergeObjects(({ reusableContents }) => byId(reusableContents)).values()],
    variables: Object.fromEntries(mergeObjects(({ variables }) => new Map(Object.entries(variables)))),
  };
  return { content, conflicts };
}
