import { isDeepStrictEqual } from "node:util";
import type { SemanticChange } from "../../api/groups/semantic-changes";
import { indexOf, type PlacedPage } from "../spaces/pages";
import type { Content, FileRecord } from "../spaces/record";

type PageInfo = Extract<SemanticChange, { type: "page_created" }>["page"];
type Attributes = Extract<SemanticChange, { type: "page_edited" }>["attributes"];

/** Yields the differences between two contents: pages in their order, then deleted pages, deleted files and variables. */
export function* changesBetween(
  before: Content,
  after: Content,
  downloadUrl: (file: FileRecord) => string,
): Generator<SemanticChange> {
  const [was, is] = [indexOf(before), indexOf(after)];
  for (const [id, placed] of is.pages) {
    const earlier = was.pages.get(id);
    const page = pageInfo(placed);
    const attributes = earlier && differences(earlier.page, placed.page);
    if (!earlier) yield { type: "page_created", page };
    else if (attributes) yield { type: "page_edited", page, attributes };
  }
  for (const [id, placed] of was.pages) if (!is.pages.has(id)) yield { type: "page_deleted", page: pageInfo(placed) };
  for (const file of before.files) {
    const { id, name, contentType } = file;
    if (is.files.has(id)) continue;
    yield { type: "file_deleted", file: { id, name, contentType, downloadURL: downloadUrl(file) } };
  }
  const variables = differences(before.variables, after.variables);
  if (variables) yield { type: "variables_edited", attributes: variables };
}

function pageInfo({ page: { id, type, title }, path }: PlacedPage): PageInfo {
  return { id, type, title, path };
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
