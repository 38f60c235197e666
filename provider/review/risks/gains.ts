import { userKey } from "../../people/user";
import { words } from "../../text/words";
import type { Access } from "../model/access";
import type { PersonReview } from "../model/person-review";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { accessWords, teamWords } from "../model/sentences";

/** Risks of people who gain power below that of an administrator, or access that nobody can use yet. */
export const gainRisks = ({ people, teams }: Content): Risk[] =>
  people.flatMap((person) => {
    // What this up only sets back is a risk as drift, and a hidden person is one by itself.
    const gains = person.access.filter(({ effect, cause }) => effect === "gains" && cause !== "drift");
    const powers = person.hidden ? [] : gains.flatMap((access) => powerRisks(person, access, teams));
    if (!person.disabled || gains.length === 0) return powers;
    const text = words`${person.name} is disabled and gains access, which starts when the account is enabled again`;
    return [...powers, risk("disabled-person", "medium", person.id, text)];
  });

function powerRisks({ id, name }: PersonReview, { place, after, pending }: Access, teams: Content["teams"]): Risk[] {
  if (place.kind === "role" && after === "create")
    return [
      risk("new-creator", "medium", id, words`${name} can create sites and spaces from now on (role ${after})`, place),
    ];
  if (place.kind !== "team" || after !== "owner") return [];
  const owner = words`${name} becomes an owner of team ${teamWords(place.team ?? "", teams)}`;
  if (!pending) return [risk("new-team-owner", "medium", id, words`${owner}, and decides who is in it`, place)];
  const text = words`${owner}, and no member has this e-mail: the first person who joins with it owns the team`;
  return [risk("new-team-owner", "high", id, text)];
}

/** Risks of the user of the token, without the rights of which the up stops halfway. */
export const tokenUserRisks = ({ people, teams }: Content, tokenUser: string): Risk[] =>
  people
    .filter(({ keys }) => keys.includes(userKey(tokenUser)))
    .flatMap(({ id, name, access }) => access.map((one) => ({ id, name, one })))
    .filter(({ one }) => one.effect === "loses")
    .map(({ id, name, one }) => {
      const what = accessWords(one, { teams, organizations: [] });
      const text = words`${name} is the user of this token, and loses access: ${what}; the up may stop halfway`;
      return risk("token-user", "high", id, text);
    });
