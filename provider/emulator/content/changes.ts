import { isDeepStrictEqual } from "node:util";
import type { SemanticChange } from "../../api/groups/semantic-changes";
import { ownOf } from "../spaces/merge";
import { indexOf, type PlacedPage, walk } from "../spaces/pages";
import type { Content, FileRecord, ReusableContentRecord } from "../spaces/record";

type PageInfo = Extract<SemanticChange, { type: "page_created" }>["page"];
type FileInfo = Extract<SemanticChange, { type: "file_created" }>["file"];
type Attributes = Extract<SemanticChange, { type: "page_edited" }>["attributes"];

/** Yields the differences between two contents: pages in their order, then deleted pages, then everything else. */
export function* changesBetween(
  before: Content,
  after: Content,
  downloadUrl: (file: FileRecord) => string,
): Generator<SemanticChange> {
  if (before === after) return;
  if (before.pages !== after.pages) yield* pageChanges(before, after);
  const fileInfo = ({ id, name, contentType, ...rest }: FileRecord): FileInfo => {
    return { id, name, contentType, downloadURL: downloadUrl({ id, name, contentType, ...rest }) };
  };
  for (const { was, is } of pairs(before.files, after.files)) {
    if (!was && is) yield { type: "file_created", file: fileInfo(is) };
    if (was && !is) yield { type: "file_deleted", file: fileInfo(was) };
    if (was && is) {
      const attributes = differences(was, is);
      if (attributes) yield { type: "file_edited", file: fileInfo(is), attributes };
    }
  }
  const variables = differences(before.variables, after.variables);
  if (variables) yield { type: "variables_edited", attributes: variables };
  for (const { was, is } of pairs(before.reusableContents, after.reusableContents)) yield* reusableChanges(was, is);
}

function* reusableChanges(was?: ReusableContentRecord, is?: ReusableContentRecord): Generator<SemanticChange> {
  const info = ({ id, title }: ReusableContentRecord) => ({ id, title });
  if (!was && is) yield { type: "reusable_content_created", reusableContent: info(is) };
  if (was && !is) yield { type: "reusable_content_deleted", reusableContent: info(was) };
  if (!was || !is) return;
  const attributes = differences(was, is);
  if (attributes) yield { type: "reusable_content_edited", reusableContent: info(is), attributes };
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

/** Pairs the items of both lists by id: those of `after` in their order, then the deleted ones. */
function* pairs<Item extends { readonly id: string }>(before: readonly Item[], after: readonly Item[]) {
  if (before === after) return;
  const [was, is] = [new Map(before.map((one) => [one.id, one])), new Map(after.map((one) => [one.id, one]))];
  for (const item of after) yield { was: was.get(item.id), is: item };
  for (const item of before) if (!is.has(item.id)) yield { was: item, is: undefined };
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
