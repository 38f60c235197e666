import { nothing, secret, unknown } from "../../access-plan/place";
import type { Severity } from "../../lifecycle/review";
import { userKey } from "../../people/user";
import { type SafeText, safeText } from "../../text/safe-text";
import type { PersonReview } from "../model/access";
import { type Access, groupOf } from "../model/access";
import type { Review } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { accessWords, driftWords, type Known, placeWords } from "../model/sentences";

/** A change of access of one person, as rules judge it. */
interface Case extends Access {
  readonly person: PersonReview;
  readonly known: Known;
  /** The user of the token, if the environment names it. */
  readonly tokenUser: string | undefined;
}

/** A risk about access is a change of the plan with a severity. */
interface Rule {
  readonly kind: string;
  readonly severity: Severity;
  readonly applies: (one: Case) => boolean;
  readonly describe: (one: Case) => SafeText;
  /** It says more than the change itself, so it is listed once more. */
  readonly isExtra?: true;
}

const isAccepted = (one: Access) => groupOf(one) === "accepted";
const isRole = ({ place }: Access) => place.kind === "role";
const changes = ({ effect }: Access) => effect !== "none";
/** What this up only sets back is a risk as drift. */
const isGained = ({ effect, cause }: Access) => effect === "gains" && cause !== "drift";
const isHidden = ({ after }: Access) => after === unknown || after === secret;
/** A role of somebody who is no longer a member. */
const isLost = (one: Access) => changes(one) && isRole(one) && one.before === nothing && one.recorded !== undefined;
const isDrift = (one: Access) => changes(one) && one.cause !== "declared" && !isLost(one);
const becomesOwner = (one: Case) =>
  isGained(one) && one.place.kind === "team" && one.after === "owner" && !one.person.hidden;
const describeDrift = ({ person, known, ...one }: Case) => safeText`${person.name}: ${driftWords(one, known)}`;
const ownerWords = ({ person, place, known }: Case) =>
  safeText`${person.name} becomes an owner of ${placeWords(place, known)}`;

const rules: readonly Rule[] = [
  {
    kind: "new-administrator",
    severity: "high",
    // Nobody has reviewed a manual change that becomes declared. Who only gets the role back is no new administrator.
    applies: (one) =>
      isRole(one) &&
      one.after === "admin" &&
      (isAccepted(one) || (changes(one) && one.cause !== "drift" && !isLost(one))),
    describe: (one) => {
      const { person, before, recorded = "" } = one;
      if (isAccepted(one))
        return safeText`${person.name} became an administrator outside Pulumi (${recorded} before), and stays one: the program declares it`;
      const now = before === unknown ? safeText`` : safeText` (${before} until now)`;
      const who = person.hidden
        ? safeText`a person that the preview does not name (${person.name})`
        : safeText`${person.name}`;
      return safeText`${who} becomes an administrator${now}`;
    },
  },
  {
    kind: "administrator-by-hand",
    severity: "high",
    applies: (one) => isDrift(one) && one.before === "admin",
    describe: describeDrift,
  },
  {
    kind: "drift",
    severity: "medium",
    applies: (one) => isDrift(one) && one.before !== "admin",
    describe: describeDrift,
  },
  {
    kind: "token-user",
    severity: "high",
    isExtra: true,
    applies: ({ effect, person, tokenUser = "" }) => effect === "loses" && person.keys.includes(userKey(tokenUser)),
    describe: ({ person, known, ...one }) =>
      safeText`${person.name} is the user of this token, and loses access: ${accessWords(one, known)}; the up may stop halfway`,
  },
  {
    kind: "hidden-person",
    severity: "high",
    applies: (one) => changes(one) && one.person.hidden && one.after !== "admin",
    describe: ({ person, after }) => safeText`who gets ${after} is not visible in the preview: ${person.name}`,
  },
  {
    kind: "hidden-access",
    severity: "high",
    applies: (one) => changes(one) && !one.person.hidden && isHidden(one),
    describe: ({ person }) => safeText`what ${person.name} gets is not visible in the preview`,
  },
  {
    kind: "person-removed",
    severity: "high",
    applies: (one) => changes(one) && isRole(one) && one.after === nothing,
    describe: ({ person, before }) =>
      safeText`${person.name} is removed from the organization (role ${before} until now)`,
  },
  {
    kind: "new-team-owner",
    severity: "medium",
    applies: (one) => (isAccepted(one) && one.after === "owner") || (becomesOwner(one) && !one.pending),
    describe: (one) =>
      isAccepted(one)
        ? safeText`${one.person.name} became an owner of ${placeWords(one.place, one.known)} outside Pulumi, and stays one: the program declares it`
        : safeText`${ownerWords(one)}, and decides who is in it`,
  },
  {
    kind: "new-team-owner",
    severity: "high",
    isExtra: true,
    applies: (one) => becomesOwner(one) && one.pending === true,
    describe: (one) =>
      safeText`${ownerWords(one)}, and no member has this e-mail: the first person who joins with it owns the team`,
  },
  {
    kind: "new-creator",
    severity: "medium",
    applies: (one) => isGained(one) && isRole(one) && one.after === "create" && !one.person.hidden,
    describe: ({ person, after }) => safeText`${person.name} can create sites and spaces from now on (role ${after})`,
  },
  {
    kind: "disabled-person",
    severity: "medium",
    isExtra: true,
    applies: (one) => isGained(one) && one.person.disabled === true,
    describe: ({ person }) =>
      safeText`${person.name} is disabled and gains access, which starts when the account is enabled again`,
  },
  {
    kind: "not-a-member",
    severity: "high",
    applies: isLost,
    describe: ({ person, after }) =>
      safeText`${person.name} is no longer a member of the organization, so the role ${after} cannot be set: the up will fail`,
  },
  {
    kind: "administrator-lost",
    severity: "medium",
    applies: (one) =>
      changes(one) && isRole(one) && one.before === "admin" && one.after !== nothing && one.cause === "declared",
    describe: ({ person, after }) => safeText`${person.name} is no longer an administrator: ${after} from now on`,
  },
  {
    // Later previews do not show such an administrator.
    kind: "administrator-unmanaged",
    severity: "medium",
    applies: (one) => !changes(one) && one.released && isRole(one) && one.after === "admin",
    describe: ({ person }) => safeText`${person.name} is no longer managed and stays an administrator`,
  },
  {
    kind: "team-people-removed",
    severity: "medium",
    applies: (one) => changes(one) && one.place.kind === "team" && one.after === nothing && one.cause !== "drift",
    describe: ({ person, place, known }) => safeText`${person.name} is removed from ${placeWords(place, known)}`,
  },
];

export function accessRisks(review: Pick<Review, "people" | "teams" | "organizations">, tokenUser?: string): Risk[] {
  const cases = review.people.flatMap((person) =>
    // Nothing is to be judged in most access of a large organization.
    person.access.filter(groupOf).map((access): Case => ({ ...access, person, known: review, tokenUser })),
  );
  const found = rules.flatMap(({ kind, severity, applies, describe, isExtra }) =>
    cases
      .filter(applies)
      .map((one) => risk(kind, severity, one.person.id, describe(one), isExtra ? undefined : one.place)),
  );
  // A person may gain access in several places.
  return [...new Map(found.map((one) => [JSON.stringify([one.subject, one.text, one.change]), one])).values()];
}
