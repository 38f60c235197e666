import { entriesIn, type Holding, nothing, type OrganizationGiver, stringsIn, textIn } from "../../access/holding";
import { userKey } from "../../access/user";
import { kept, type Release, type Releasing, type ReviewPart } from "../../lifecycle/review";
import type { Properties } from "../../run/properties";

/** How a review describes the members of a team. */
export const review: ReviewPart = { access: { holdings, release } };

function holdings({ teamId, members, pending }: Properties, giver: OrganizationGiver): Holding[] {
  const place = { kind: "team", team: textIn(teamId), organization: giver.organization } as const;
  const waiting = new Set(stringsIn(pending).map(userKey));
  return entriesIn(giver, members).map(([user, role]) => {
    return { place, user, level: textIn(role), pending: waiting.has(userKey(user)) };
  });
}

/** A deletion removes the declared people from the team, and nobody else. */
function release({ level }: Holding, { deleted, options, live, keys }: Releasing): Release {
  if (deleted && options.onDestroy === "leave") return kept(level, "no longer managed");
  const wasFound = stringsIn(live?.outputs.found).some((userId) => keys.includes(userId));
  return deleted && wasFound ? kept(level, "was never declared") : { after: nothing };
}
