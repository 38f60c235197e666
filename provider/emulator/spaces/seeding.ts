import { newId } from "../store/ids";
import { applyEdit, pagesOf } from "./edits";
import type { ChangeRequestRecord, Content, SpaceContent } from "./record";
import { commitToChangeRequest, merge, openChangeRequest, primaryContent } from "./revisions";
import { richTextOf } from "./rich-text";
import type { SeedChangeRequest, SeedContent } from "./seed";

export interface SeedingContext {
  /** Time of objects that have none in the seed. */
  readonly at: string;
  /** Returns the next number of the state's sequence. */
  readonly next: () => number;
  /** Id of the default author. */
  readonly author: string;
}

/** Builds the content of a space in a seed: a first revision, then the change requests in order. */
export function spaceContentOf(seed: SeedContent, context: SeedingContext): SpaceContent & { updatedAt: string } {
  const id = newId("revision");
  const content = contentOf(seed);
  const space = {
    revision: id,
    revisions: new Map([[id, { id, parents: [], type: "edits" as const, createdAt: context.at, content }]]),
    changeRequests: new Map<string, ChangeRequestRecord>(),
    lastNumber: 0,
    updatedAt: context.at,
  };
  for (const one of seed.changeRequests ?? []) addChangeRequest(space, one, context);
  return space;
}

type Space = ReturnType<typeof spaceContentOf>;

function addChangeRequest(space: Space, seed: SeedChangeRequest, { next, author, at: usual }: SeedingContext): void {
  const { id, subject, createdBy = author, createdAt: at = usual, edits = [], status = "draft", description } = seed;
  const changeRequest = openChangeRequest(space, { id, subject, createdBy, at, sequence: next() });
  const content = edits.reduce(applyEdit, primaryContent(space));
  if (edits.length > 0) commitToChangeRequest(space, changeRequest, content, { by: createdBy, at });
  const { comments = 0, contributors = [], requestedReviewers = [], conversationsIssuesCluster } = seed;
  changeRequest.description = typeof description === "string" ? richTextOf(description) : description;
  changeRequest.contributors = [...new Set([...changeRequest.contributors, ...contributors])];
  Object.assign(changeRequest, { comments, requestedReviewers: [...requestedReviewers], conversationsIssuesCluster });
  if (status === "merged") merge(space, changeRequest, createdBy, at);
  else changeRequest.status = status;
}

function contentOf({ pages = [], files = [], reusableContents = [], variables = {} }: SeedContent): Content {
  return {
    pages: pagesOf(pages),
    files: files.map(({ id = newId("file"), contentType = "application/octet-stream", size = 1024, name }) => {
      return { id, name, contentType, size };
    }),
    reusableContents: reusableContents.map(({ id = newId("reusable"), title }) => ({ id, title })),
    variables,
  };
}
