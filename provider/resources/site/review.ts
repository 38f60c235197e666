import { type Finding, type ReviewedChange, type ReviewPart, titleWords } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";
import { safeText, trusted } from "../../text/safe-text";

export const siteReview: ReviewPart = {
  noun: "site",
  section: "sites",
  risks: (change) => [
    ...lossRisks(change),
    ...openingRisks(change),
    ...publicByHandRisks(change),
    ...publishingRisks(change),
  ],
};

function lossRisks(change: ReviewedChange): Finding[] {
  const { operation, retained, successor } = change;
  const title = titleWords(change);
  if (operation === "delete" && !retained) {
    const again =
      successor === undefined ? safeText`` : safeText`; ${successor} is made in its place: a new name is a new site`;
    const text = safeText`the site ${title} is deleted, with everything that was set up in it${again}`;
    return [{ kind: "site-deleted", severity: "high", text }];
  }
  if (operation !== "replace") return [];
  const text = retained
    ? safeText`the site ${title} is replaced by a new one, and stays without being managed (${trusted(retained)})`
    : safeText`the site ${title} is replaced by a new one: its sections, links and customization are lost`;
  return [{ kind: "site-replaced", severity: "high", text }];
}

/** The visibilities, from the one that lets the fewest people open the site to the one that lets everybody. */
const openness = ["visitor-auth", "share-link", "unlisted", "public"];

/** Whether the visibility of a site changes to public; it need not be published. */
export const becomesPublic = ({ operation, properties }: Pick<ReviewedChange, "operation" | "properties">): boolean =>
  operation !== "delete" && properties.some(({ name, after }) => name === "visibility" && after === "public");

function openingRisks(change: ReviewedChange): Finding[] {
  const { properties, operation } = change;
  const visibility = properties.find((one) => one.name === "visibility");
  if (operation === "delete" || visibility?.after === undefined) return [];
  const [before, after] = [String(visibility.before ?? ""), String(visibility.after)];
  const title = titleWords(change);
  const was = operation === "create" || before === "" ? safeText`` : safeText` (${before} until now)`;
  if (!openness.includes(after)) {
    const text = safeText`the preview cannot show who will be able to open the site ${title}`;
    return [{ kind: "hidden-access", severity: "high", text }];
  }
  if (becomesPublic(change)) {
    const text = safeText`the site ${title} becomes public${was}: everybody can open and find it while it is published`;
    return [{ kind: "site-public", severity: "high", text }];
  }
  if (before === after) return [];
  // A share link also opens an unlisted site to people who did not know its address. Unknown visibilities count as the narrowest.
  const isNewAudience = after === "share-link" && before === "unlisted";
  const isWider = isNewAudience || openness.indexOf(after) > Math.max(0, openness.indexOf(before));
  if (!isWider) return [];
  const who =
    { "share-link": "anybody with its share link", unlisted: "anybody with its address" }[after] ?? "more people";
  const text = safeText`${trusted(who)} can open the site ${title}: it becomes ${after}${was}`;
  return [{ kind: "site-opened", severity: "medium", text }];
}

/** The risk of a site that was made public outside Pulumi: the program now declares it, or this up sets it back. */
function publicByHandRisks({ name, recorded, live, declared, shared }: ReviewedChange): Finding[] {
  if (!recorded || !live || !declared) return [];
  const isPublic = ({ visibility, published }: Properties) => visibility === "public" && published !== false;
  const before: Properties = { ...recorded.outputs, ...recorded.inputs };
  const now: Properties = { ...live.outputs, ...live.inputs };
  if (isPublic(before) || !isPublic(now)) return [];
  const title = titleWords({
    name,
    ...(typeof declared.title === "string" && { title: declared.title }),
    ...(shared && { shared }),
  });
  const isKept = isPublic({ ...now, ...declared });
  const end = isKept ? "and stays public: the program declares it" : "and everybody can open it until this up";
  const text = safeText`the site ${title} was made public outside Pulumi, ${trusted(end)}`;
  return [{ kind: isKept ? "site-public" : "site-public-by-hand", severity: "high", text }];
}

function publishingRisks({ name, operation, live, declared }: ReviewedChange): Finding[] {
  if (!declared) return [];
  if (operation === "create" || operation === "replace") return chosenRisks(name, declared);
  if (operation !== "update" || !live) return [];
  const [before, after] = [live.inputs.published ?? live.outputs.published, declared.published];
  const title = safeText`${String(declared.title ?? name)}`;
  if (before !== false && after === false) {
    const text = safeText`nobody will be able to open the site ${title}: it is unpublished`;
    return [{ kind: "site-unpublished", severity: "medium", text }];
  }
  if (before === true || after !== true) return [];
  const visibility = String(declared.visibility ?? "not declared");
  const text = safeText`the site ${title} is published from now on (visibility ${visibility})`;
  return [{ kind: "site-published", severity: visibility === "public" ? "high" : "medium", text }];
}

/** The API document does not say which visibility a new site has by default; it may be public. */
function chosenRisks(name: string, { title = name, visibility, published }: Properties): Finding[] {
  if (published !== true || visibility !== undefined) return [];
  const text = safeText`the new site ${String(title)} is published without a visibility: the service chooses who can open it, maybe everybody`;
  return [{ kind: "hidden-access", severity: "high", text }];
}
