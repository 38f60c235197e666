import { isDeepStrictEqual } from "node:util";
import type { SemanticChange } from "../../api/groups/semantic-changes";
import { ownOf } from "../spaces/merge";
import { indexOf, type PlacedPage, walk } from "../spaces/pages";
import type { Content, FileRecord } from "../spaces/record";

type PageInfo = Extract<SemanticChange, { type: "page_created" }>["page"];
type Attributes = Extract<SemanticChange, { type: "page_edited" }>["attributes"];

/** Yields the differences between two contents: pages in their order, then deleted pages, deleted files and variables. */
export function* changesBetween(
  before: Content,
  after: Content,
  downloadUrl: (file: FileRecord) => string,
): Generator<SemanticChange> {
  if (before === after) return;
  if (before.pages !== after.pages) yield* pageChanges(before, after);
  const kept = new Set(after.files.map(({ id }) => id));
  for (const file of before.files) {
    if (kept.has(file.id)) continue;
    const { id, name, contentType } = file;
    yield { type: "file_deleted", file: { id, name, contentType, downloadURL: downloadUrl(file) } };
  }
  const variables = differences(before.variables, after.variables);
  if (variables) yield { type: "variables_edited", attributes: variables };
}

function* pageChanges(before: Content, after: Content): Generator<SemanticChange> {
  const [was, is] = [indexOf(before).pages, indexOf(after).pages];
  for (const placed of walk(after.pages)) {
    const earlier = was.get(placed.page.id);
    const page = pageInfo(placed);
    if (!earlier) {
      yield { type: "page_created", page };
      continue;
    }
    const attributes = earlier.page === placed.page ? undefined : differences(ownOf(earlier.page), ownOf(placed.page));
    if (attributes) yield { type: "page_edited", page, attributes };
    if (parentOf(earlier)?.id !== parentOf(placed)?.id) {
      yield { type: "page_moved", page, parent: { before: parentInfo(earlier), after: parentInfo(placed) } };
    }
  }
  for (const placed of walk(before.pages)) {
    if (!is.has(placed.page.id)) yield { type: "page_deleted", page: pageInfo(placed) };
  }
}

const parentOf = ({ ancestors }: PlacedPage) => ancestors.at(-1);

function pageInfo({ page: { id, type, title }, path }: PlacedPage): PageInfo {
  return { id, type, title, path };
}

function parentInfo(placed: PlacedPage): PageInfo | undefined {
  const parent = parentOf(placed);
  return parent && { ...pageInfo({ page: parent, ancestors: [], path: placed.path.replace(/\/[^/]*$/, "") }) };
}

/** Properties that differ, with their values before and after; `undefined` if none does. */
function differences(before: object, after: object): Attributes | undefined {
  if (before === after) return undefined;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const pairs = names.flatMap((name): [string, Attributes[string]][] => {
    const [was, is] = [Reflect.get(before, name), Reflect.get(after, name)];
    if (isDeepStrictEqual(was, is)) return [];
    return [[name, { ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }]];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}
