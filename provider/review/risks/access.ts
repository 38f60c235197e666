import { nothing, secret, unknown } from "../../access-plan/place";
import { joined, type Words, words } from "../../text/words";
import { type Access, isAccepted } from "../model/access";
import type { PassedOn } from "../model/people";
import type { PersonReview } from "../model/person-review";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { driftWords, type Known, placeWords } from "../model/sentences";
import type { SignIn } from "../model/sign-ins";

/** Risks in the access of single people, and in the defaults at sign-in. */
export function accessRisks({ people, passedOn, signIns, teams }: Content): Risk[] {
  const known = { teams, organizations: [] };
  const ofPeople = people.flatMap((person) =>
    person.access.flatMap((access) => [
      ...secondManagerRisks(person, access, known),
      ...risksIn(person, access, known),
    ]),
  );
  return [...ofPeople, ...passedOn.map(passedOnRisk), ...signIns.flatMap(signInRisks)];
}

/** The risk that declared access goes to another person. */
function passedOnRisk({ email, before, now, kept }: PassedOn): Risk {
  const stays = kept ? ", who keeps what the state still has" : "";
  const text = words`${email} now belongs to ${now}, who gets the access that is declared for it (when the stack last ran, it belonged to ${before}${[stays]})`;
  return risk("email-passed-on", "high", now, text);
}

/** The risk of two resources for one person in one place, which undo each other. */
function secondManagerRisks({ id, name }: PersonReview, { place, managers = [] }: Access, known: Known): Risk[] {
  if (managers.length === 0) return [];
  const all = joined(
    managers.map(({ resource, level }) => words`${resource} (${level})`),
    " and ",
  );
  const text = words`${name} is declared twice, ${placeWords(place, known)}: by ${all}; the up decides which one wins, so remove one`;
  return [risk("declared-twice", "high", id, text)];
}

function risksIn(person: PersonReview, access: Access, known: Known): Risk[] {
  if (isAccepted(access)) return acceptedRisks(person, access, known);
  if (access.effect === "none") return unmanagedRisks(person, access);
  return [...administratorRisks(person, access), ...otherRisks(person, access, known)];
}

/** Risks of manual changes that become declared: nobody has reviewed them before. */
function acceptedRisks({ id, name }: PersonReview, { place, recorded, after }: Access, known: Known): Risk[] {
  if (place.kind === "role" && after === "admin") {
    const text = words`${name} became an administrator outside Pulumi (${recorded ?? ""} before), and stays one: the program declares it`;
    return [risk("new-administrator", "high", id, text, place)];
  }
  if (after !== "owner") return [];
  const text = words`${name} became an owner of ${placeWords(place, known)} outside Pulumi, and stays one: the program declares it`;
  return [risk("new-team-owner", "medium", id, text, place)];
}

/** An administrator who is no longer managed is invisible to later previews. */
function unmanagedRisks({ id, name }: PersonReview, { place, after, released }: Access): Risk[] {
  if (!released || place.kind !== "role" || after !== "admin") return [];
  return [
    risk(
      "administrator-unmanaged",
      "medium",
      id,
      words`${name} is no longer managed and stays an administrator`,
      place,
    ),
  ];
}

function administratorRisks(
  { id, name, hidden }: PersonReview,
  { place, before, after, recorded, cause }: Access,
): Risk[] {
  if (place.kind !== "role" || (before === nothing && recorded !== undefined)) return [];
  // Who only gets the role back is no new administrator.
  if (after === "admin" && cause !== "drift") {
    const now = before === unknown ? words`` : words` (${before} until now)`;
    const who = hidden ? words`a person that the preview does not name (${name})` : words`${name}`;
    return [risk("new-administrator", "high", id, words`${who} becomes an administrator${now}`, place)];
  }
  if (before === "admin" && after !== nothing && cause === "declared") {
    return [
      risk(
        "administrator-lost",
        "medium",
        id,
        words`${name} is no longer an administrator: ${after} from now on`,
        place,
      ),
    ];
  }
  return [];
}

function otherRisks(person: PersonReview, access: Access, known: Known): Risk[] {
  const { id, name, hidden } = person;
  const { place, before, after, recorded, cause } = access;
  const found: Risk[] = [];
  if (hidden && after !== "admin") {
    found.push(
      risk("hidden-person", "high", id, words`who gets ${after} is not visible in the preview: ${name}`, place),
    );
  } else if ([unknown, secret].includes(after)) {
    found.push(risk("hidden-access", "high", id, words`what ${name} gets is not visible in the preview`, place));
  }
  if (place.kind === "role" && after === nothing) {
    found.push(
      risk(
        "person-removed",
        "high",
        id,
        words`${name} is removed from the organization (role ${before} until now)`,
        place,
      ),
    );
  }
  const lost = place.kind === "role" && before === nothing && recorded !== undefined;
  if (lost) {
    const text = words`${name} is no longer a member of the organization, so the role ${after} cannot be set: the up will fail`;
    found.push(risk("not-a-member", "high", id, text, place));
  }
  if (cause === "declared" || lost) return found;
  const text = words`${name} ${driftWords(access, known)}`;
  const made = before === "admin";
  return [...found, risk(made ? "administrator-by-hand" : "drift", made ? "high" : "medium", id, text, place)];
}

function signInRisks(signIn: SignIn): Risk[] {
  const { urn, name, label, removed } = signIn;
  const who = words`everyone who signs in with ${label} for the first time`;
  if (removed) {
    return [
      risk(
        "sign-in-removed",
        "high",
        name,
        words`nobody can sign in with ${label} after the change: the provider is removed`,
        urn,
      ),
    ];
  }
  return [...defaultRoleRisks(signIn, who), ...defaultTeamRisks(signIn, who)];
}

function defaultRoleRisks({ urn, name, role, created }: SignIn, who: Words): Risk[] {
  if (role.before === role.after) return [];
  if (role.after === "admin") {
    return [risk("sign-in-default", "high", name, words`${who} becomes an administrator`, urn)];
  }
  const hidden = [unknown, secret].includes(role.after);
  if (created && !hidden) return [];
  const text = hidden
    ? words`the role of ${who} is not visible in the preview`
    : words`${who} gets the role ${role.after} (${role.before} until now)`;
  return [risk("sign-in-default", hidden ? "high" : "medium", name, text, urn)];
}

/** The API document does not mention a team by default, so an undeclared team is no risk. */
function defaultTeamRisks({ urn, name, team, created }: SignIn, who: Words): Risk[] {
  if (team.before === team.after || created || [unknown, nothing].includes(team.after)) return [];
  const hidden = team.after === secret;
  const text = hidden
    ? words`the team of ${who} is not visible in the preview`
    : words`${who} gets into team ${team.after}`;
  return [risk("sign-in-default", hidden ? "high" : "medium", name, text, urn)];
}
