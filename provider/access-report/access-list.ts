import { planAccess } from "../access-plan/access-plan";
import { phaseOf } from "../access-plan/grants";
import { byPower, type Place } from "../access-plan/place";
import { skew } from "../history/history";
import type { Since } from "../history/select";
import type { Loaded } from "../organization/file/loader";
import { managersOf, placeIn } from "../organization/guards/change";
import { type OrganizationPeople, unambiguousAccess } from "../organization/live/live";
import { type ListedGrant, listGrants, pathOfLine } from "../organization/sections/grants";
import { compare } from "../organization/sections/parts";
import { teamNames } from "../organization/sections/teams";
import { isEmail } from "../people/user";
import type { DeclaredPlace, PersonAccess, PlaceAccess } from "./report";

interface Compared {
  /** The file, if there is one. */
  readonly file?: Loaded | undefined;
  readonly now: Date;
  /** Looks up since when a person, by all names, has the level in a place. */
  readonly sinceOf?: (keys: readonly string[], place: Place, level: string) => Since | undefined;
}

interface Draft {
  readonly member?: OrganizationPeople["members"][number];
  /** The name in the file. */
  declaredAs?: string;
  /** By team; the role has an empty key. */
  readonly places: Map<string, PlaceAccess>;
}

/** What is known so far: of members by the user id, of others by the name in the file. */
class Drafts {
  private readonly drafts: Map<string, Draft>;
  private readonly nameTeam: ReturnType<typeof teamNames>;

  constructor({ members, teams }: OrganizationPeople) {
    this.drafts = new Map(members.map((member) => [member.user.id, { member, places: new Map() }]));
    this.nameTeam = teamNames(teams);
  }

  memberOf(id: string): Draft["member"] {
    return this.drafts.get(id)?.member;
  }

  note(id: string, team: string | undefined, found: PlaceAccess, declaredAs = id): void {
    const draft: Draft = this.drafts.get(id) ?? { places: new Map() };
    draft.declaredAs ??= declaredAs;
    const named = team === undefined ? {} : { team: this.nameTeam(team) };
    draft.places.set(team ?? "", { ...named, ...draft.places.get(team ?? ""), ...found });
    this.drafts.set(id, draft);
  }

  /** The most powerful first. */
  list(): PersonAccess[] {
    const levelOf = ({ role }: PersonAccess) => role.level ?? "none";
    return [...this.drafts]
      .map(([id, draft]) => personOf(id, draft))
      .sort((a, b) => byPower(levelOf(a), levelOf(b)) || compare(a.name, b.name));
  }
}

/** Everybody with access, and everybody in the file. */
export function listAccess(live: OrganizationPeople, { file, now, sinceOf }: Compared): PersonAccess[] {
  const { organizationId: organization } = live;
  const declaration = file && { name: "", organization: file.organization, recorded: [], now };
  const managers = declaration ? [...managersOf(declaration).values()] : [];
  const plan = planAccess({ ...unambiguousAccess(live), managers, isEverybodyShown: false });
  const wholeTeams = new Set(managers.map(({ area }) => area?.team));
  const drafts = new Drafts(live);
  for (const { place, levels } of plan.input.places.filter(({ place }) => place.kind !== "sso")) {
    for (const [id, level] of levels) {
      const isIgnored = wholeTeams.has(place.team ?? "") && plan.of(place, { id }) === undefined;
      const since = sinceOf?.(plan.identities.of(id).keys, place, level);
      const known = since && sinceJoining(since, drafts.memberOf(id));
      drafts.note(id, place.team, { level, ...(isIgnored && { isIgnored }), ...(known && { since: known }) });
    }
  }
  for (const grant of file ? listGrants(file.organization) : []) {
    const { id } = plan.identities.find({}, placeIn({ organization }, grant.team), grant.user);
    drafts.note(id, grant.team, { declared: declaredPlace(grant, file as Loaded, now) }, grant.user);
  }
  return drafts.list();
}

/** What the versions have from before the person joined was of an earlier membership. */
function sinceJoining(since: Since, { joinedAt = "" }: Partial<OrganizationPeople["members"][number]> = {}): Since {
  const isOlder = Date.parse(since.since ?? "") + skew * 1_000 < Date.parse(joinedAt);
  return isOlder ? { since: joinedAt, gap: "later" } : since;
}

function declaredPlace(grant: ListedGrant, { organization, places }: Loaded, now: Date): DeclaredPlace {
  const { user, team, role: level, reason, from, expires } = grant;
  const place = places.of(pathOfLine(organization, team, user));
  const at = place ? `${place.file}:${place.line}` : "";
  return { level, at, reason, from, expires: expires?.on, then: expires?.then, phase: phaseOf(grant, now) };
}

function personOf(id: string, { member, declaredAs = id, places }: Draft): PersonAccess {
  const titleOf = ({ team }: PlaceAccess) => team?.title ?? team?.id ?? "";
  const teams = [...places.values()].filter(({ team }) => team).sort((a, b) => compare(titleOf(a), titleOf(b)));
  const access = { role: places.get("") ?? {}, teams };
  if (!member) return { name: declaredAs, state: isEmail(declaredAs) ? "pending" : "absent", ...access };
  const { user, disabled, sso, joinedAt, lastSeenAt } = member;
  const name = user.email ?? `${user.displayName} (hidden e-mail)`;
  return { userId: id, name, state: disabled ? "disabled" : "active", sso, joinedAt, lastSeenAt, ...access };
}
