/** The state as one line of JSON, and back. */

export function textOf(value: unknown): string {
  return JSON.stringify(value, encoder());
}

export function valueIn(text: string): unknown {
  return JSON.parse(text, decoder());
}

/** Names of marks: an object of somebody else that has one is marked itself, since bodies hold what clients like. */
const marks = ["$map", "$object", "$page", "$same"];

/** JSON has no maps, and no two places for one object: revisions share the pages that stay as they were. */
function encoder() {
  const pages = new Map<object, number>();
  return (_: string, value: unknown): unknown => {
    if (value instanceof Map) return { $map: [...value] };
    if (!isObject(value)) return value;
    if (marks.some((mark) => Object.hasOwn(value, mark))) return { $object: Object.entries(value) };
    if (!isPage(value)) return value;
    const known = pages.get(value);
    if (known !== undefined) return { $same: known };
    pages.set(value, pages.size);
    return { $page: [pages.size - 1, Object.entries(value)] };
  };
}

const isPage = (value: object) => Object.hasOwn(value, "slug") && Object.hasOwn(value, "pages");

function decoder() {
  const pages = new Map<number, unknown>();
  return (_: string, value: unknown): unknown => {
    if (!isObject(value)) return value;
    const { $map, $object, $page, $same } = value as Marked;
    if ($map) return new Map($map);
    if ($object) return Object.fromEntries($object);
    // A page comes before all that are the same, for none is below itself.
    if ($same !== undefined) return pages.get($same);
    if (!$page) return value;
    const page = Object.fromEntries($page[1]);
    pages.set($page[0], page);
    return page;
  };
}

interface Marked {
  readonly $map?: [unknown, unknown][];
  readonly $object?: [string, unknown][];
  readonly $page?: [number, [string, unknown][]];
  readonly $same?: number;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
