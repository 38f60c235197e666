import { isPublic } from "../../api/groups/sites";
import { replacing } from "../../lifecycle/diff";
import { site as siteDefinition } from "../../resources/site/site";
import { childName } from "../sections";
import type { PlannedChange, Violation } from "./change";

export function publicSites({ name, organization, live, recorded }: PlannedChange): Violation[] {
  return Object.entries(organization.sites ?? {}).flatMap(([key, declared]): Violation[] => {
    const known = recorded.find((one) => one.resource === "Site" && one.name === childName(name, key));
    // A replacement makes another site, of which only the declared properties are known.
    const { type, spaces } = declared;
    const fixed = { ...(type !== undefined && { type }), ...(spaces !== undefined && { spaces }) };
    const stays = known && replacing(siteDefinition, known.outputs, fixed).length === 0;
    const site = stays ? live.sites.find(({ id }) => id === known.outputs.siteId) : undefined;
    // The API document does not say which visibility a new site has by default; it may be public.
    const { visibility = site?.visibility ?? "public", published = site?.published ?? false } = declared;
    // Public so far means recorded and live as public. A site made public outside Pulumi was never declared so, and one closed outside Pulumi was closed for a reason.
    const last = { ...site, ...(stays && known.outputs) };
    const before = isPublic(last) && site !== undefined && isPublic(site);
    if (visibility !== "public" || !published || before || declared.allowPublic) return [];
    const path = ["sites", key, ...(declared.visibility === undefined ? [] : ["visibility"])];
    const chosen = declared.visibility === undefined ? " (the service may choose that if visibility is omitted)" : "";
    const text = `site "${declared.title ?? key}" would become public for everybody and for search engines${chosen}; declare allowPublic: true to allow that, or another visibility`;
    return [{ path, text }];
  });
}
