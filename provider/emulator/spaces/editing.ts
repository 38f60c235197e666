import { DocsError } from "../../api/http/errors";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import type { State } from "../store/state";
import { applyEdit } from "./edits";
import type { ChangeRequestRecord, Content, SpaceRecord } from "./record";
import { commitToChangeRequest, commitToSpace, findChangeRequest, primaryContent, revisionOf } from "./revisions";
import { type ContentEdit, contentEdits } from "./seed";

/** Edits content like the user interface of the service; no operation of the API document does this. */

export interface EditOptions {
  /** Time of the edit; the current time by default. */
  readonly at?: Date;
}

export interface ChangeRequestEditOptions extends EditOptions {
  /** Id of the user who edits and becomes a contributor; the creator of the change request by default. */
  readonly by?: string;
}

/** Edits the primary content of a space in one new revision. Throws a DocsError and changes nothing if an edit is invalid. */
export function editSpace(
  state: State,
  spaceId: string,
  edits: readonly ContentEdit[],
  options: EditOptions = {},
): void {
  const space = spaceIn(state, spaceId);
  const at = timeOf(options);
  commitToSpace(space, applyEdits(primaryContent(space), edits), at);
}

/** Edits the content of a change request (id or number) in one new revision. Throws a DocsError and changes nothing if an edit is invalid. */
export function editChangeRequest(
  state: State,
  { space: spaceId, changeRequest: ref }: { readonly space: string; readonly changeRequest: string | number },
  edits: readonly ContentEdit[],
  options: ChangeRequestEditOptions = {},
): ChangeRequestRecord {
  const space = spaceIn(state, spaceId);
  const changeRequest = findChangeRequest(space, String(ref));
  if (!changeRequest) throw new DocsError(`space "${spaceId}" has no change request "${ref}"`);
  if (changeRequest.status === "merged") throw new DocsError(`change request "${ref}" is merged; edit another one`);
  const at = timeOf(options);
  const content = applyEdits(revisionOf(space, changeRequest.revision).content, edits);
  commitToChangeRequest(space, changeRequest, content, { by: options.by ?? changeRequest.createdBy, at });
  return changeRequest;
}

const timeOf = ({ at = new Date() }: EditOptions) => at.toISOString();

function spaceIn({ organizations }: State, id: string): SpaceRecord {
  for (const { spaces } of organizations.values()) {
    const space = spaces.get(id);
    if (space) return space;
  }
  throw new DocsError(`there is no space "${id}"`);
}

function applyEdits(content: Content, edits: readonly ContentEdit[]): Content {
  const wrong = mistakesIn(contentEdits, edits);
  if (wrong.length > 0) throw new DocsError(`the edits have mistakes: ${inOneLine(wrong)}`);
  return edits.reduce(applyEdit, content);
}
