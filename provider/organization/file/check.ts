import { DocsError } from "../../api/http/errors";
import { mistakesIn } from "../../text/mistakes";
import { findMissingAdmins } from "../guards/administrators";
import { sectionList } from "../sections";
import { type Finding, fieldsIn } from "../sections/checks";
import { organizationFile } from "../sections/schema";
import { Folder } from "./folder";
import { inProgram, type Path } from "./places";
import { textsIn, withTexts } from "./texts";
import type { OrganizationFile } from "./types";

interface Options {
  /** The time that decides which grants are over. */
  readonly now?: Date;
  /** The folder of the program: paths of certificate files are relative to it and must stay inside it. */
  readonly folder?: string;
}

/** Checks an organization that a program declares as an object. One error names all mistakes. */
export function checkOrganization(
  value: unknown,
  { now = new Date(), folder = process.cwd() }: Options = {},
): OrganizationFile {
  const declared = { value, folder: new Folder(folder), baseOf: () => "." };
  const { findings, organization } = examine(declared, now);
  if (organization) return organization;
  throw new DocsError(findings.map(({ path, text }) => inProgram.report(path, text)).join("\n"));
}

interface Declared {
  readonly value: unknown;
  readonly folder: Folder;
  /** The folder of the file that declares what is at a path. */
  readonly baseOf: (path: Path) => string;
  readonly partial?: boolean;
}

/** Finds the mistakes in an organization. Without any, it also returns the organization, with the contents of the files that it refers to. */
export function examine(
  { value, folder, baseOf, partial = false }: Declared,
  now: Date,
): { findings: Finding[]; organization?: OrganizationFile } {
  const { whole, findings: unread } = withTexts(value, textsIn(folder, baseOf));
  const findings = [...findingsIn(value, now, partial), ...unread];
  if (findings.length > 0) return { findings };
  return { findings, organization: organizationFile.parse(whole) };
}

/**
 * Finds all mistakes in an organization at the given time. If only a part of the file could be read, missing values are not
 * reported: they may be in the other part.
 */
function findingsIn(organization: unknown, now: Date, partial: boolean): Finding[] {
  const file = fieldsIn(organization);
  const wrong = [
    ...mistakesIn(organizationFile, organization),
    ...sectionList.flatMap((one) => one.findMistakes?.(file) ?? []),
  ];
  if (partial) return wrong;
  return [...wrong, ...findMissingAdmins(file, now), ...sectionList.flatMap((one) => one.findMissing?.(file) ?? [])];
}
