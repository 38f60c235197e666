import { existsSync } from "node:fs";
import { join } from "node:path";
import { DocsError } from "../api/http/errors";
import { loadOrganization, organizationYaml } from "../organization/file/loader";
import { reviewNotes } from "../organization/review-notes";
import { listEnds, usualAge } from "../review/model/ends";
import type { Settings } from "../run/settings";
import { type Finding, note, ok, wrong } from "./check";

/** What begins or ends soon, by organization.yaml and the token. */
export function checkEnds(root: string, settings: Settings): Finding {
  try {
    const [file, now] = [join(root, organizationYaml), settings.now()];
    const organization = existsSync(file) ? loadOrganization(file, { now }).organization : undefined;
    const id = organization?.organization ?? settings.organizationId() ?? "";
    const ends = listEnds(
      {
        grants: (organization && reviewNotes(organization).grants) ?? [],
        providers: Object.values(organization?.saml ?? {}),
        token: settings.tokenOf(id)?.value,
      },
      { now, age: usualAge },
    );
    if (ends.length === 0) return ok("ends", "no grant, certificate or token that says so ends within 30 days");
    return note("ends", ends.map(({ text }) => text).join("\n"));
  } catch (error) {
    if (!(error instanceof DocsError)) throw error;
    return wrong("ends", error.message);
  }
}
