/** Converts the state to one line of JSON, and back. */

export function textOf(value: unknown): string {
  return JSON.stringify(value, encoder());
}

export function valueIn(text: string): unknown {
  return JSON.parse(text, decoder());
}

/** Names of marks. A client's object with such a property is encoded as `$object`, because bodies may contain any name. */
const marks = ["$map", "$object", "$page", "$same"];

/** JSON has neither maps nor shared objects, but revisions share their unchanged pages. */
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
    // A page precedes its references, because no page is below itself.
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
