import { nothing, secret, unknown } from "../../access-plan/place";
import type { Severity } from "../../lifecycle/review";
import type { RiskKind } from "../../lifecycle/risk-kinds";
import { userKey } from "../../people/user";
import { type SafeText, safeText } from "../../text/safe-text";
import { type Access, groupOf, type PersonReview } from "../model/access";
import type { Review } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { accessWords, type KnownNames, placeWords } from "../model/sentences";

/** A change of access of one person, as rules judge it. */
interface Case extends Access {
  readonly person: PersonReview;
  readonly known: KnownNames;
  readonly tokenUser: string | undefined;
}

/** A risk about access is a change of the plan with a severity. */
interface Rule {
  readonly kind: RiskKind;
  readonly severity: Severity;
  readonly applies: (one: Case) => boolean;
  /** A sentence that says more than the change itself. The risk is then a line of its own. */
  readonly more?: (one: Case) => SafeText;
}

const isAccepted = (one: Access) => groupOf(one) === "accepted";
const isRole = ({ place }: Access) => place.kind === "role";
const isChanged = ({ effect }: Access) => effect !== "none";
/** The up only sets a manual change back, and the program did not change. */
const isOnlySetBack = ({ cause }: Access) => cause === "drift";
/** Access that the up only restores after a manual change is listed as drift instead. */
const isGained = (one: Access) => one.effect === "gains" && !isOnlySetBack(one);
const isHidden = ({ after }: Access) => after === unknown || after === secret;
/** Whether a recorded role cannot be set again, because the person is no longer a member. */
const isLost = (one: Access) => isChanged(one) && isRole(one) && one.before === nothing && one.recorded !== undefined;
/** Somebody changed the access by hand, and maybe the program changed, too. */
const isByHand = (one: Access) => isChanged(one) && one.cause !== "declared" && !isLost(one);
const losesAdministrator = (one: Case) =>
  isChanged(one) && isRole(one) && one.before === "admin" && one.after !== nothing && one.cause === "declared";
const becomesOwner = (one: Case) =>
  isGained(one) && one.place.kind === "team" && one.after === "owner" && !one.person.hidden;

const rules: readonly Rule[] = [
  {
    kind: "new-administrator",
    severity: "high",
    // Nobody has reviewed a manual change that becomes declared. A person who only gets the role back is no new administrator.
    applies: (one) =>
      isRole(one) &&
      one.after === "admin" &&
      (isAccepted(one) || (isChanged(one) && !isOnlySetBack(one) && !isLost(one))),
  },
  { kind: "administrator-by-hand", severity: "high", applies: (one) => isByHand(one) && one.before === "admin" },
  { kind: "drift", severity: "medium", applies: (one) => isByHand(one) && one.before !== "admin" },
  {
    kind: "token-user",
    severity: "high",
    applies: ({ effect, person, tokenUser = "" }) => effect === "loses" && person.keys.includes(userKey(tokenUser)),
    more: ({ person, known, ...one }) =>
      safeText`${person.name} is the user of this token, and loses access: ${accessWords(one, known)}; the up may stop halfway`,
  },
  {
    kind: "hidden-person",
    severity: "high",
    // A hidden person who becomes an administrator is a `new-administrator`.
    applies: (one) => isChanged(one) && one.person.hidden && one.after !== "admin",
  },
  { kind: "hidden-access", severity: "high", applies: (one) => isChanged(one) && !one.person.hidden && isHidden(one) },
  {
    kind: "person-removed",
    severity: "high",
    applies: (one) => isChanged(one) && isRole(one) && one.after === nothing,
  },
  {
    kind: "new-team-owner",
    severity: "medium",
    applies: (one) => (isAccepted(one) && one.after === "owner") || (becomesOwner(one) && !one.pending),
  },
  {
    kind: "new-team-owner",
    severity: "high",
    applies: (one) => becomesOwner(one) && one.pending === true,
    more: ({ person, place, known }) =>
      safeText`${person.name} becomes an owner of ${placeWords(place, known)}, and no member has this e-mail: the first person who joins with it owns the team`,
  },
  {
    kind: "new-creator",
    severity: "medium",
    applies: (one) => isGained(one) && isRole(one) && one.after === "create" && !one.person.hidden,
  },
  {
    kind: "disabled-person",
    severity: "medium",
    applies: (one) => isGained(one) && one.person.disabled === true,
    more: ({ person }) =>
      safeText`${person.name} is disabled and gains access, which starts when the account is enabled again`,
  },
  { kind: "not-a-member", severity: "high", applies: isLost },
  {
    kind: "administrator-lost",
    severity: "medium",
    applies: (one) => losesAdministrator(one) && !one.undeclared,
  },
  {
    kind: "administrator-lost",
    severity: "high",
    applies: (one) => losesAdministrator(one) && one.undeclared === true,
  },
  {
    // Later previews do not show such an administrator.
    kind: "administrator-unmanaged",
    severity: "medium",
    applies: (one) => !isChanged(one) && one.released && isRole(one) && one.after === "admin",
  },
  {
    kind: "team-people-removed",
    severity: "medium",
    applies: (one) => isChanged(one) && one.place.kind === "team" && one.after === nothing && !isOnlySetBack(one),
  },
];

export function accessRisks(review: Pick<Review, "people" | "teams" | "organizations">, tokenUser?: string): Risk[] {
  const cases = review.people.flatMap((person) =>
    // Most access of a large organization stays as it is, and belongs to no group.
    person.access
      .filter((access) => groupOf(access) && !access.isRecord)
      .map((access): Case => ({ ...access, person, known: review, tokenUser })),
  );
  const risks = rules.flatMap(({ kind, severity, applies, more }) =>
    cases.filter(applies).map((one) => {
      const { person, known, place } = one;
      if (more) return risk(kind, severity, person.id, more(one));
      return risk(kind, severity, person.id, safeText`${person.name}: ${accessWords(one, known)}`, place);
    }),
  );
  // A sentence without the place, such as that of a disabled person, is the same for several places.
  const keyOf = ({ kind, subject, text, change }: Risk) => JSON.stringify([kind, subject, text, change]);
  return [...new Map(risks.map((one) => [keyOf(one), one])).values()];
}
