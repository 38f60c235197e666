import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { canonical } from "../access/plan-file";
import { DocsError } from "../api/http/errors";
import type { Run } from "../run/run";
import { previewedVariable } from "../run/settings";
import type { OrganizationFile } from "./file/types";

/** Refuses an up whose declaration is not the previewed one: the file may have been edited since, or pulled. */
export function refuseUnpreviewed(run: Run, isPreview: boolean, organization: OrganizationFile): void {
  const file = run.settings.variable(previewedVariable);
  if (file === undefined) return;
  const digest = createHash("sha256").update(canonical(organization)).digest("hex");
  if (isPreview) writeFileSync(file, digest);
  else if (readFileSync(file, "utf8") !== digest) {
    throw new DocsError(
      "the organization's file, or a file that it refers to, was changed after the preview, so nothing was changed",
    );
  }
}
