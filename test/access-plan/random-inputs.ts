import type {
  AccessInput,
  Assignment,
  Declaration,
  LivePerson,
  Manager,
  RecordedAssignment,
} from "../../provider/access-plan/input";
import type { Place } from "../../provider/access-plan/place";
import type { ReleaseOptions } from "../../provider/access-plan/release";
import { isEmail, userKey } from "../../provider/people/user";

/** Random inputs of the access plan, each decoded from a list of numbers: fast, and shorter lists are simpler inputs. */

const organization = "acme";
export const rolePlace: Place = { kind: "role", organization };
const ssoPlace: Place = { kind: "sso", organization };
const teams = ["one", "two"].map((team): Place => ({ kind: "team", team, organization }));

const numbers = [0, 1, 2, 3, 4, 5];
const roles = ["admin", "create", "read", "guest", "supervisor"] as const;
const teamRoles = ["member", "owner"] as const;
const releases = ["restore", "leave", "guest", "remove"] as const;
const patterns = ["*0@acme.test", "P1@acme.test", "user_2", "new*"];

/** Reads choices from a list of numbers. When the list ends, every choice is the first one. */
export class Choices {
  private at = 0;
  constructor(private readonly numbers: readonly number[]) {}

  below(limit: number): number {
    return (this.numbers[this.at++] ?? 0) % limit;
  }

  /** True once in so many times. */
  rarely(times: number): boolean {
    return this.below(times) === times - 1;
  }

  pick<One>(list: readonly One[]): One {
    return list[this.below(list.length)] as One;
  }

  some<One>(list: readonly One[], times: number): One[] {
    return list.filter(() => this.rarely(times));
  }
}

const idOf = (number: number) => `user_${number}`;
const emailOf = (number: number) => `p${number}@acme.test`;

/** Members as they are now: some have left, hide the e-mail, have another one, or one that was somebody else's. */
function peopleFrom(choices: Choices): LivePerson[] {
  const taken = new Set<string>();
  return numbers
    .filter(() => !choices.rarely(8))
    .map((number) => {
      const own = emailOf(number);
      const email = choices.pick([own, own, own, `new${number}@acme.test`, emailOf((number + 1) % 6), undefined]);
      const isFree = email !== undefined && !taken.has(email);
      if (isFree) taken.add(email);
      return { userId: idOf(number), ...(isFree && { email }), ...(choices.rarely(6) && { isDisabled: true }) };
    });
}

/** A present or former name of the person, or a name of nobody. The most usual ones are in the list several times. */
function nameFrom(choices: Choices, number: number): string {
  const [id, email, other] = [idOf(number), emailOf(number), `new${number}@acme.test`];
  return choices.pick([id, email, email, email.toUpperCase(), other, email, id, "ghost@acme.test", "user_gone", email]);
}

interface Kind {
  readonly name: "MemberRoles" | "MemberRole" | "TeamMembers" | "TeamMembership";
  readonly place: Place;
}

const kinds: readonly Kind[] = [
  { name: "MemberRoles", place: rolePlace },
  { name: "MemberRole", place: rolePlace },
  ...teams.flatMap((place): Kind[] => [
    { name: "TeamMembers", place },
    { name: "TeamMembership", place },
  ]),
];

function assignmentsFrom(choices: Choices, { name, place }: Kind): Assignment[] {
  const isMany = name.endsWith("s");
  const people = isMany ? choices.some(numbers, 2) : [choices.pick(numbers)];
  const levels = place.kind === "role" ? roles : teamRoles;
  const all = people.map((number) => ({ place, user: nameFrom(choices, number), level: choices.pick(levels) }));
  const withSso = place.kind === "role" && choices.rarely(4) ? all.slice(0, 1) : [];
  return [...unique(all), ...withSso.map(({ user }) => ({ place: ssoPlace, user, level: "sso" }))];
}

const unique = (all: readonly Assignment[]) => [...new Map(all.map((one) => [userKey(one.user), one])).values()];

function optionsFrom(choices: Choices, { name }: Kind): ReleaseOptions {
  const isTeam = name.startsWith("Team");
  const option = () => choices.pick([undefined, ...(isTeam ? (["leave", "remove"] as const) : releases)]);
  if (name !== "MemberRoles") return { onRelease: option(), allowRaise: choices.rarely(4) };
  const single = choices.some(numbers, 6).map((number) => [nameFrom(choices, number), choices.pick(releases)]);
  return {
    onRelease: {
      destroy: option(),
      ...(choices.rarely(2) && { removal: option() }),
      people: Object.fromEntries(single),
    },
    allowRaise: choices.rarely(4),
    allowRaiseOf: choices.some(numbers, 6).map((number) => nameFrom(choices, number)),
  };
}

function declarationFrom(choices: Choices, kind: Kind, hasOthers: boolean): Declaration {
  const isMany = kind.name.endsWith("s");
  return {
    assignments: assignmentsFrom(choices, kind),
    options: optionsFrom(choices, kind),
    ...(isMany && { ignore: choices.some(patterns, 6) }),
    ...(hasOthers && { others: choices.pick(["guest", "remove", "refuse"]), ignoreOthers: choices.some(patterns, 6) }),
    ...(choices.rarely(2) && { isExclusive: true }),
    ...(choices.rarely(3) && { allowsNoOwner: true }),
    ...(choices.rarely(16) && { isHidden: true }),
  };
}

function recordFrom(choices: Choices, kind: Kind): NonNullable<Manager["recorded"]> {
  const userIds: { [email: string]: string } = {};
  const assignments = assignmentsFrom(choices, kind).map((one): RecordedAssignment => {
    const number = /\d/.exec(one.user)?.[0];
    const isLinked = isEmail(one.user) && number !== undefined && !choices.rarely(5);
    if (isLinked) userIds[userKey(one.user)] = idOf(Number(number));
    const isPending = isEmail(one.user) && !isLinked;
    return {
      ...one,
      ...(one.place.kind === "role" && !choices.rarely(5) && { previous: choices.pick(roles) }),
      ...(isPending && { isPending }),
      ...(!isPending && choices.rarely(5) && { isAbsent: true }),
      ...(kind.name !== "MemberRole" && !isPending && choices.rarely(5) && { isFound: true }),
    };
  });
  return {
    assignments,
    userIds,
    options: optionsFrom(choices, kind),
    ...(choices.rarely(3) && { allowsNoOwner: true }),
    ...(choices.rarely(12) && { retained: "it is retained" }),
  };
}

/** At most one manager decides about everybody in a place. */
function managersFrom(choices: Choices): Manager[] {
  const managed = new Set<Place>();
  return Array.from({ length: choices.below(6) }, (_, index): Manager => {
    const kind = choices.pick(kinds);
    const hasOthers = kind.name === "MemberRoles" && !managed.has(kind.place) && choices.rarely(2);
    const isArea = kind.name === "TeamMembers" || hasOthers;
    const isDeclared = !(isArea && managed.has(kind.place)) && !choices.rarely(3);
    if (isArea && isDeclared) managed.add(kind.place);
    return {
      id: `manager ${index}`,
      name: `${kind.name} ${index}`,
      ...(isArea && { area: kind.place }),
      ...(isDeclared && { declared: declarationFrom(choices, kind, hasOthers) }),
      ...((!isDeclared || choices.below(2) === 0) && { recorded: recordFrom(choices, kind) }),
    };
  });
}

const liveLevels = { role: roles, team: ["none", ...teamRoles], sso: ["none", "none", "sso"] } as const;

/** The input that these choices make. Either all live people and levels are known, or some are not. */
export function inputFrom(list: readonly number[]): AccessInput {
  const choices = new Choices(list);
  const people = peopleFrom(choices);
  const isComplete = !choices.rarely(6);
  const levels = [rolePlace, ssoPlace, ...teams].map((place) => {
    const given = people.map(({ userId }): [string, string] => [userId, choices.pick(liveLevels[place.kind])]);
    const isRead = isComplete || (place.kind === "team" && choices.below(2) === 0);
    const known = given.filter(([, level]) => level !== "none" && (isRead || !choices.rarely(3)));
    return { place, levels: new Map(known), isComplete: isRead };
  });
  return {
    people: isComplete ? people : people.filter(() => !choices.rarely(3)),
    arePeopleComplete: isComplete,
    places: levels,
    managers: managersFrom(choices),
    isEverybodyShown: choices.below(2) === 0,
    managedElsewhere: new Set(choices.some(numbers, 6).map(idOf)),
  };
}

/** The same input with every list in another order. */
export function reordered(input: AccessInput): AccessInput {
  const reverseOf = <One>(list: readonly One[]) => [...list].reverse();
  const turned = <One extends { readonly assignments: readonly unknown[] }>(one: One): One => ({
    ...one,
    assignments: reverseOf(one.assignments),
  });
  return {
    ...input,
    people: reverseOf(input.people),
    places: reverseOf(input.places).map((one) => ({ ...one, levels: new Map(reverseOf([...one.levels])) })),
    managers: reverseOf(input.managers).map((one) => ({
      ...one,
      ...(one.declared && { declared: turned(one.declared) }),
      ...(one.recorded && { recorded: turned(one.recorded) }),
    })),
  };
}
