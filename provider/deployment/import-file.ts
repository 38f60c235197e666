import { readFileSync } from "node:fs";
import type { ImportResource } from "@pulumi/pulumi/automation";
import { DocsError } from "../api/http/errors";
import { findOrganization } from "./project";

/** Another run with the same file would fail as well. */
export class DamagedImportFile extends DocsError {}

export function readImports(file: string): ImportResource[] {
  try {
    const { resources } = JSON.parse(readFileSync(file, "utf8")) as { resources: ImportResource[] };
    if (Array.isArray(resources)) return resources;
  } catch {
    // Everything that is not an import file is refused in the same way.
  }
  throw new DamagedImportFile(
    `${file} is not an import file of docs-org take-over; run docs-org take-over --force, which writes it again`,
  );
}

/** Refuses to go on with the take-over of another organization: both would be in one stack. */
export function refuseOther(root: string, organizationId: string, isForced: boolean): void {
  const declared = findOrganization(root);
  if (declared === organizationId) return;
  if (declared === undefined) {
    if (isForced) return;
    throw new DocsError(
      "a take-over was interrupted here, and organization.yaml has no organization now; run docs-org take-over --force, which writes it again",
    );
  }
  throw new DocsError(
    `a take-over of organization ${declared} was interrupted here, and DOCS_ORGANIZATION_ID names ${organizationId}; correct DOCS_ORGANIZATION_ID, or use another folder`,
  );
}
