import { endpoints, type RowName } from "../../api/endpoints";
import { methodOf, pathOf, placeholder } from "../../api/schema/endpoint";
import { badRequest, nothingAt, Refusal } from "../http/errors";

/** The row that serves a request, and the parameters in its path. */
export interface Place {
  readonly row: RowName;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Finds the row of a request; throws a 404 for an unknown path, and a 405 with the allowed methods for another method. */
export function rowFinder(): (method: string, path: string) => Place {
  const paths = tablePaths();
  return (method, path) => {
    for (const { pattern, rows } of paths) {
      const match = pattern.exec(path);
      if (!match) continue;
      const row = rows.get(method);
      if (row !== undefined) return { row, parameters: decodeAll(match.groups ?? {}) };
      const allowed = [...rows.keys()];
      const text = `${method} is not possible on ${path}; use ${allowed.join(" or ")}`;
      throw new Refusal(405, text, { allow: allowed.join(", ") });
    }
    throw nothingAt(method, path);
  };
}

/** Paths with fewer parameters first: `/sites/published` is not the site "published". */
function tablePaths() {
  const paths = new Map<string, Map<string, RowName>>();
  for (const [name, row] of Object.entries(endpoints)) {
    const rows = paths.get(pathOf(row)) ?? new Map<string, RowName>();
    paths.set(pathOf(row), rows.set(methodOf(row), name as RowName));
  }
  return [...paths]
    .sort(([one], [other]) => countParameters(one) - countParameters(other))
    .map(([path, rows]) => ({ pattern: new RegExp(`^${path.replace(placeholder, "(?<$1>[^/]+)")}$`), rows }));
}

const countParameters = (path: string): number => path.match(placeholder)?.length ?? 0;

function decodeAll(groups: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // decodeURIComponent has no other error, and its text names no place.
    throw badRequest("the path is not percent-encoded UTF-8");
  }
}
