import { DocsError } from "../../api/http/errors";
import { samlProvider } from "../../resources/saml-provider/saml-provider";
import { mistakesIn } from "../../text/mistakes";
import type { Finding } from "../sections/rules";
import type { Folder } from "./folder";

const { certificate: schema } = samlProvider.inputs.shape;

/** More than the schema lets through in any case. */
const mostBytes = 65_536;

type Providers = Readonly<Record<string, unknown>>;

/**
 * SAML providers with the certificates that they name a file of. `baseOf` gives the folder that the path of a provider's
 * file begins in. What is in a file is never shown: it may be anything.
 */
export function withCertificates(
  saml: unknown,
  folder: Folder,
  baseOf: (name: string) => string,
): { saml: unknown; findings: Finding[] } {
  if (typeof saml !== "object" || saml === null) return { saml, findings: [] };
  const findings: Finding[] = [];
  const read = Object.entries(saml as Providers).map(([name, declared]) => {
    const { certificateFile: file, ...provider } = (declared ?? {}) as Providers;
    if (typeof file !== "string" || provider.certificate !== undefined) return [name, declared];
    const path = ["saml", name, "certificateFile"];
    const { certificate, problem } = certificateFrom(file, baseOf(name), folder);
    if (problem !== undefined) findings.push({ path, text: `"${file}": ${problem}` });
    return [name, { ...provider, certificate }];
  });
  return { saml: Object.fromEntries(read), findings };
}

function certificateFrom(file: string, base: string, folder: Folder): { certificate?: string; problem?: string } {
  try {
    const certificate = folder.read(folder.join(base, file), mostBytes).toString("utf8");
    const problem = mistakesIn(schema, certificate)[0]?.text;
    return problem === undefined ? { certificate } : { problem };
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return { problem: error.message };
  }
}
