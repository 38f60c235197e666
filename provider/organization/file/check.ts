import { DocsError } from "../../api/http/errors";
import { type Finding, findingsIn } from "../sections/rules";
import { type OrganizationFile, organizationFile } from "../sections/schema";
import { withCertificates } from "./certificates";
import { Folder } from "./folder";
import { inProgram } from "./places";

interface Options {
  /** The time that decides which grants are over. */
  readonly now?: Date;
  /** Where the paths of certificate files begin, and what they may not leave: the folder of the program. */
  readonly folder?: string;
}

/** The organization that a program declares as an object; everything that is wrong with it is in one error. */
export function checkOrganization(
  value: unknown,
  { now = new Date(), folder = process.cwd() }: Options = {},
): OrganizationFile {
  const declared = { value, folder: new Folder(folder), baseOf: () => "." };
  const { findings, organization } = examined(declared, now);
  if (organization) return organization;
  throw new DocsError(findings.map(({ path, text }) => inProgram.report(path, text)).join("\n"));
}

interface Declared {
  readonly value: unknown;
  readonly folder: Folder;
  /** The folder of the file that declares a SAML provider. */
  readonly baseOf: (provider: string) => string;
  /** A part of it could not be read. */
  readonly partial?: boolean;
}

/** What is wrong with an organization, or, where nothing is, the organization with its certificates. */
export function examined(
  { value, folder, baseOf, partial = false }: Declared,
  now: Date,
): { findings: Finding[]; organization?: OrganizationFile } {
  const { saml, findings: unread } = withCertificates(
    (value as Partial<OrganizationFile> | null)?.saml,
    folder,
    baseOf,
  );
  const findings = [...findingsIn(value, now, partial), ...unread];
  if (findings.length > 0) return { findings };
  const whole = saml === undefined ? value : { ...(value as OrganizationFile), saml };
  return { findings, organization: organizationFile.parse(whole) };
}
