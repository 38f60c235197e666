import { planAccess } from "../access-plan/access-plan";
import { daysLeft } from "../access-plan/grants";
import { byPower, type Place } from "../access-plan/place";
import type { Loaded } from "../organization/file/loader";
import { managersOf, placeIn } from "../organization/guards/change";
import { type LivePeople, unambiguousAccess } from "../organization/live/live";
import { declaredPeople, type ListedGrant, listGrants } from "../organization/sections/grants";
import { compare } from "../organization/sections/parts";
import { type TeamName, teamNames } from "../organization/sections/teams";
import { isEmail } from "../people/user";
import type { DeclaredPlace, PersonAccess, PlaceAccess, Since } from "./report";

export interface Compared {
  /** The file, if there is one. */
  readonly file?: Loaded | undefined;
  readonly now: Date;
  /** Looks up since when a person, by all names, has the level in a place. */
  readonly sinceOf?: (keys: readonly string[], place: Place) => Since | undefined;
}

/** Everybody with access, and everybody in the file, the most powerful first. */
export function listAccess(live: LivePeople, { file, now, sinceOf }: Compared): PersonAccess[] {
  const { organizationId: organization } = live;
  const managers = file ? managersOf({ name: "", organization: file.organization, recorded: [], now }) : new Map();
  const plan = planAccess({ ...unambiguousAccess(live), managers: [...managers.values()], isEverybodyShown: false });
  const wholeTeams = new Set([...managers.values()].map(({ area }) => area?.team));
  const nameTeam = teamNames(live.teams);
  const people = new Map<string, Draft>(live.members.map((member) => [member.user.id, { member, places: new Map() }]));
  const draftOf = (id: string): Draft => {
    const draft = people.get(id) ?? { places: new Map<string, PlaceAccess>() };
    people.set(id, draft);
    return draft;
  };
  const note = (id: string, team: TeamName | undefined, found: Omit<PlaceAccess, "team">) => {
    const { places } = draftOf(id);
    const key = team?.id ?? "";
    places.set(key, { ...(team && { team }), ...places.get(key), ...found });
  };
  for (const place of plan.input.places) {
    if (place.place.kind === "sso") continue;
    for (const [id, level] of place.levels) {
      const { team } = place.place;
      const isIgnored = team !== undefined && wholeTeams.has(team) && plan.of(place.place, { id }) === undefined;
      const since = sinceOf?.(plan.identities.of(id).keys, place.place);
      note(id, team === undefined ? undefined : nameTeam(team), {
        level,
        ...(isIgnored && { isIgnored }),
        ...(since && { since }),
      });
    }
  }
  for (const grant of file ? listGrants(file.organization) : []) {
    const place = placeIn({ organization }, grant.team);
    const { id } = plan.identities.find({}, place, grant.user);
    draftOf(id).declaredAs ??= grant.user;
    const declared = declaredPlace(grant, file as Loaded, now);
    note(id, grant.team === undefined ? undefined : nameTeam(grant.team), { declared });
  }
  return [...people].map(([id, draft]) => personOf(id, draft)).sort(mostPowerfulFirst);
}

interface Draft {
  readonly member?: LivePeople["members"][number];
  /** The name in the file. */
  declaredAs?: string;
  /** By team; the role has an empty key. */
  readonly places: Map<string, PlaceAccess>;
}

function declaredPlace(grant: ListedGrant, { organization, places }: Loaded, now: Date): DeclaredPlace {
  const { user, team, role: level, reason, expires } = grant;
  const property = declaredPeople(organization.teams?.[team ?? ""] ?? {}).property;
  const place = places.of(team === undefined ? ["members", user] : ["teams", team, property, user]);
  return {
    level,
    at: place ? `${place.file}:${place.line}` : "",
    ...(reason !== undefined && { reason }),
    ...(expires && { expires: expires.on, then: expires.then }),
    ...(expires && daysLeft(expires.on, now) < 0 && { hasEnded: true as const }),
  };
}

function personOf(id: string, { member, declaredAs = id, places }: Draft): PersonAccess {
  const role = places.get("") ?? {};
  const teams = [...places.values()].filter(({ team }) => team !== undefined).sort(byTitle);
  if (!member) return { name: declaredAs, state: isEmail(declaredAs) ? "pending" : "absent", role, teams };
  const { user, disabled, sso, joinedAt, lastSeenAt } = member;
  return {
    userId: id,
    name: user.email ?? user.displayName,
    displayName: user.displayName,
    state: disabled ? "disabled" : "active",
    sso,
    joinedAt,
    ...(lastSeenAt !== undefined && { lastSeenAt }),
    role,
    teams,
  };
}

const titleOf = ({ team }: PlaceAccess): string => team?.title ?? team?.id ?? "";

const byTitle = (a: PlaceAccess, b: PlaceAccess): number => compare(titleOf(a), titleOf(b));

/** People who are not members come last. */
function mostPowerfulFirst(a: PersonAccess, b: PersonAccess): number {
  const levelOf = ({ role }: PersonAccess) => role.level ?? "none";
  return byPower(levelOf(a), levelOf(b)) || compare(a.name, b.name);
}
