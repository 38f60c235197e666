import { nothing } from "../../access-plan/place";
import { some, type Words, words } from "../../text/words";
import type { Access } from "../model/access";
import { takesTeam } from "../model/access-input";
import { managesWholeTeam } from "../model/definitions";
import { presentOf } from "../model/notes";
import type { PersonReview } from "../model/person-review";
import type { Preview } from "../model/preview";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { teamWords } from "../model/sentences";

/** Risks of whole teams: no owner, removed people, and removed people that the preview does not name. */
export function teamRisks({ people, teams }: Content, { resources }: Preview): Risk[] {
  const byTeam = new Map<string, { readonly team: string; readonly organization: string; readonly places: Place[] }>();
  for (const person of people) {
    for (const access of person.access) {
      const { team, organization } = access.place;
      if (team === undefined) continue;
      const key = JSON.stringify([organization, team]);
      const known = byTeam.get(key) ?? { team, organization, places: [] };
      byTeam.set(key, known);
      known.places.push({ person, access });
    }
  }
  // Teams of several organizations may have one id.
  const all = [...byTeam.values()];
  const found = all.flatMap(({ team, organization, places }) => {
    const several = all.filter((other) => other.team === team).length > 1;
    const where = several ? words` of organization ${organization}` : words``;
    return [...findOwnerless(team, places, teams, where), ...findRemovedPeople(team, places, teams, where)];
  });
  const { completeTeams } = presentOf({ resources });
  const seen = (id: unknown) => completeTeams.some(({ team }) => team === id);
  const unseen = resources.filter(
    (resource) => resource.declared?.removeExisting === true && takesTeam(resource) && !seen(resource.declared.teamId),
  );
  const risks = unseen.map(({ declared }) => {
    const team = String(declared?.teamId);
    const text = words`everybody in team ${teamWords(team, teams)} who is not declared is removed, and this preview does not name them (removeExisting)`;
    return risk("team-unseen-people", "high", team, text);
  });
  return [...found, ...risks];
}

interface Place {
  readonly person: PersonReview;
  readonly access: Access;
}

/** Teams without an owner in this stack. The team may have another, unmanaged owner. */
function findOwnerless(team: string, places: readonly Place[], teams: Content["teams"], where: Words): Risk[] {
  const losing = places.filter(({ access }) => access.before === "owner" && access.after !== "owner");
  const remain = places.some(({ access }) => access.after === "owner");
  const created = places.every(({ access }) => access.before !== "owner") && places.some(isNewTeam);
  if (remain || (losing.length === 0 && !created)) return [];
  const who = some(losing.map(({ person }) => person.name));
  const text =
    losing.length > 0
      ? words`team ${teamWords(team, teams)}${where} is left without an owner that this stack knows of (until now: ${who})`
      : words`team ${teamWords(team, teams)}${where} has no owner in this declaration`;
  return [risk("team-without-owner", "high", team, text)];
}

/** A whole team that is declared from now on. */
const isNewTeam = ({ access }: Place) =>
  access.effect === "gains" && !access.moved && access.to.some((name) => managesWholeTeam(name.replace(/ .*$/s, "")));

function findRemovedPeople(team: string, places: readonly Place[], teams: Content["teams"], where: Words): Risk[] {
  const gone = places.filter(
    ({ access }) => access.effect !== "none" && access.after === nothing && access.cause !== "drift",
  );
  return gone.map(({ person: { id, name }, access }) => {
    const text = words`${name} is removed from team ${teamWords(team, teams)}${where}`;
    return risk("team-people-removed", "medium", id, text, access.place);
  });
}
