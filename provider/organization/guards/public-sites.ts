import { isPublic } from "../../api/groups/sites";
import { replacingProperties } from "../../lifecycle/diff";
import { site as siteDefinition } from "../../resources/site/site";
import { childName } from "../sections";
import type { PlannedChange, Violation } from "./change";

/** Refuses sites that would become public, unless they declare `allowPublic`. */
export function publicSites({ name, organization, live, recorded, existing }: PlannedChange): Violation[] {
  return Object.entries(organization.sites ?? {}).flatMap(([key, declared]): Violation[] => {
    const child = recorded.find((one) => one.resource === "Site" && one.name === childName(name, key));
    // A replacement makes another site, of which only the declared properties are known.
    const { type, spaces } = declared;
    const fixedProperties = { ...(type !== undefined && { type }), ...(spaces !== undefined && { spaces }) };
    const isKept = child && replacingProperties(siteDefinition, child.outputs, fixedProperties).length === 0;
    const takenOverId = existing.find((one) => one.child.resource === "Site" && one.child.key === key)?.named?.id;
    const siteId = isKept ? child.outputs.siteId : takenOverId;
    const site = live.sites.find(({ id }) => id === siteId);
    // The API document does not say which visibility a new site has by default; it may be public.
    const { visibility = site?.visibility ?? "public", published = site?.published ?? false } = declared;
    // A site that somebody has opened or closed by hand counts as not public before, so that allowPublic must allow it anew.
    const recordedSite = { ...site, ...(isKept && child.outputs) };
    const wasPublic = site !== undefined && isPublic(site) && isPublic(recordedSite);
    if (visibility !== "public" || !published || wasPublic || declared.allowPublic) return [];
    const path = ["sites", key, ...(declared.visibility === undefined ? [] : ["visibility"])];
    const chosen = declared.visibility === undefined ? " (the service may choose that if visibility is omitted)" : "";
    const text = `site "${declared.title ?? key}" would become public for everybody and for search engines${chosen}; declare allowPublic: true to allow that, or another visibility`;
    return [{ path, text }];
  });
}
