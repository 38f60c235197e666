import { DocsError } from "../api/http/errors";
import { Settings } from "../run/settings";
import { dotted } from "../text/mistakes";
import type { OrganizationArgs, OrganizationFromFile } from "./arguments";
import { checkOrganization } from "./file/check";
import type { Loaded } from "./file/loader";
import { inProgram, type Path } from "./file/places";

export interface DeclaredOrganization extends Loaded {
  readonly now: Date;
}

type IsOutput = (value: unknown) => boolean;

export function readDeclaration(args: OrganizationArgs, isOutput: IsOutput): DeclaredOrganization {
  const now = new Settings().now();
  refuseOutputs(args, isOutput);
  if (typeof args !== "object" || args === null)
    throw new DocsError('an organization is declared by an object, such as { file: "organization.yaml" }');
  if (!("file" in args)) return { organization: checkOrganization(args, { now }), places: inProgram, now };
  // The YAML reader is only loaded if there is a file.
  const { loadOrganization } = require("./file/loader") as typeof import("./file/loader");
  return { ...loadOrganization(readFileOption(args), { now }), now };
}

/** Refuses options beside `file`: guards there would have no effect, although they look as if they had. */
function readFileOption({ file, ...others }: OrganizationFromFile): string {
  const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (typeof file !== "string") throw new DocsError("file: use the path of a file, such as organization.yaml");
  if (other === undefined) return file;
  throw new DocsError(`${other}: use either file or ${other}; the file declares the whole organization`);
}

function refuseOutputs(value: unknown, isOutput: IsOutput, path: Path = [], seen = new WeakSet<object>()): void {
  if (isOutput(value)) {
    const what = path.length > 0 ? dotted(path) : "the organization";
    throw new DocsError(
      `${what} is an output, whose value is not known yet; declare the organization with plain values`,
    );
  }
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const [name, inner] of Object.entries(value)) refuseOutputs(inner, isOutput, [...path, name], seen);
}
