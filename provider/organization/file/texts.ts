import { DocsError } from "../../api/http/errors";
import { mistakesIn } from "../../text/mistakes";
import { sectionList } from "../sections";
import { type Fields, type Finding, fieldsIn, hasFields } from "../sections/checks";
import type { TextFile } from "../sections/section";
import type { Folder } from "./folder";
import type { Path } from "./places";

/** Limit in bytes of a file with a text; larger than the limit of any schema. */
const mostBytes = 65_536;

/** Reads a file that the organization refers to at a path. */
type ReadText = (file: string, path: Path) => string;

/** An organization with the contents of the files that its sections refer to. */
export function withTexts(organization: unknown, read: ReadText): { whole: unknown; findings: Finding[] } {
  if (!hasFields(organization)) return { whole: organization, findings: [] };
  const findings: Finding[] = [];
  const filled = sectionList.flatMap(({ name: section, textFile }): [string, Fields][] => {
    const entries = organization[section];
    if (textFile === undefined || !hasFields(entries)) return [];
    const texts = Object.entries(entries).map(([name, declared]) => {
      const path = [section, name, textFile.property];
      const { entry, problem } = withText(declared, textFile, (file) => read(file, path));
      if (problem !== undefined) findings.push({ path, text: problem });
      return [name, entry] as const;
    });
    return [[section, Object.fromEntries(texts)]];
  });
  return { whole: { ...organization, ...Object.fromEntries(filled) }, findings };
}

/** Replaces the path of a file by its content. Messages never show the content, which may be secret. */
function withText(
  declared: unknown,
  { input, property, schema }: TextFile,
  read: (file: string) => string,
): { entry: unknown; problem?: string } {
  const { [property]: file, ...entry } = fieldsIn(declared);
  if (typeof file !== "string" || entry[input] !== undefined) return { entry: declared };
  try {
    const text = read(file);
    const problem = mistakesIn(schema, text)[0]?.text;
    return problem === undefined ? { entry: { ...entry, [input]: text } } : { entry, problem: `"${file}": ${problem}` };
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return { entry, problem: `"${file}": ${error.message}` };
  }
}

/** Reads texts inside a folder. `baseOf` returns the folder that a file path is relative to. */
export const textsIn = (folder: Folder, baseOf: (path: Path) => string): ReadText => {
  return (file, path) => folder.read(folder.join(baseOf(path), file), mostBytes).toString("utf8");
};
