import { DocsError } from "../../api/http/errors";
import { samlProvider } from "../../resources/saml-provider/saml-provider";
import { mistakesIn } from "../../text/mistakes";
import { findMissingAdmins } from "../guards/administrators";
import { findIdleApprovers } from "../guards/approvers";
import { sectionList } from "../sections";
import { type FileMistake, fieldsIn, hasFields } from "../sections/checks";
import { organizationFile } from "../sections/schema";
import { Folder } from "./folder";
import { inProgram, type Path } from "./places";
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
  /** As in `loadOrganization`. */
  readonly mayLackAdmins?: boolean;
}

/** Finds the mistakes in an organization. Without mistakes, it also returns the organization, with the contents of the files that it refers to. */
export function examine(
  { value, folder, baseOf, partial = false, mayLackAdmins = false }: Declared,
  now: Date,
): { findings: FileMistake[]; organization?: OrganizationFile } {
  const read = (file: string, path: Path) => folder.read(folder.join(baseOf(path), file), mostBytes).toString("utf8");
  const { whole, findings: unread } = withCertificates(value, read);
  const findings = [...findingsIn(value, now, { partial, mayLackAdmins }), ...unread];
  if (findings.length > 0) return { findings };
  return { findings, organization: organizationFile.parse(whole) };
}

/** Limit in bytes of a file with a certificate; larger than the limit of its schema. */
const mostBytes = 65_536;

/** An organization with the certificates in the files that it names. Messages never show the content, which may be secret. */
export function withCertificates(
  organization: unknown,
  read: (file: string, path: Path) => string,
): { whole: unknown; findings: FileMistake[] } {
  if (!hasFields(organization) || !hasFields(organization.saml)) return { whole: organization, findings: [] };
  const findings: FileMistake[] = [];
  const providers = Object.entries(organization.saml).map(([name, declared]) => {
    const { certificateFile: file, ...provider } = fieldsIn(declared);
    if (typeof file !== "string") return [name, declared];
    const path = ["saml", name, "certificateFile"];
    try {
      const certificate = read(file, path);
      const [mistake] = mistakesIn(samlProvider.inputs.shape.certificate, certificate);
      if (mistake) throw new DocsError(mistake.text);
      return [name, { ...provider, certificate }];
    } catch (error) {
      if (!(error instanceof DocsError)) throw error;
      findings.push({ path, text: `"${file}": ${error.message}` });
      return [name, provider];
    }
  });
  return { whole: { ...organization, saml: Object.fromEntries(providers) }, findings };
}

/**
 * Finds all mistakes in an organization at the given time. If only a part of the file could be read, missing values are not
 * reported: they may be in the other part.
 */
function findingsIn(
  organization: unknown,
  now: Date,
  { partial, mayLackAdmins }: { readonly partial: boolean; readonly mayLackAdmins: boolean },
): FileMistake[] {
  const file = fieldsIn(organization);
  const wrong = [
    ...mistakesIn(organizationFile, organization),
    ...sectionList.flatMap((one) => one.findMistakes?.(file) ?? []),
  ];
  if (partial) return wrong;
  return [
    ...wrong,
    ...(mayLackAdmins ? [] : findMissingAdmins(file, now)),
    ...findIdleApprovers(file),
    ...sectionList.flatMap((one) => one.findMissing?.(file) ?? []),
  ];
}
