import { stringify } from "yaml";
import type { Member } from "../../provider/api/groups/members";
import type { OrganizationFile } from "../../provider/organization/file/types";
import { type PlannedChange, planChange } from "../../provider/organization/guards/change";
import { findViolations } from "../../provider/organization/guards/guards";
import type { RecordedChild } from "../../provider/organization/live/recorded";
import { listLiveAccess, reviewNotes } from "../../provider/organization/review-notes";
import { childrenOf } from "../../provider/organization/sections";
import { previewIn } from "../../provider/review/model/preview";
import { reviewOf } from "../../provider/review/review";
import type { Properties } from "../../provider/run/properties";
import type { Choices } from "../access-plan/random-inputs";
import { urnOfChild } from "../faults/component";
import type {
  Change,
  FileTeam,
  Held,
  Id,
  Level,
  Live,
  ModelFile,
  ModelLine,
  ModelWorld,
  Person,
  Place,
  State,
} from "./model";

/** Random worlds of the model, the same worlds for the program, and what the program says about them. */

const organization = "acme";
const now = new Date("2026-12-01T12:00:00Z");
const everybody = ["ada", "bea", "cem", "dan", "eli"].map((name) => {
  return { id: `user_${name}`, email: `${name}@${name === "dan" || name === "eli" ? "vendor" : "acme"}.test` };
});
const teams = ["team_a", "team_b"];
const roles = ["admin", "edit", "read", "guest", "create"] as const;
const pending = "new@acme.test";

/** A name of the person; `spelling` is the same for all names of one file. */
const nameOf = ({ id, email }: (typeof everybody)[number], spelling: number) =>
  [id, email, email.toUpperCase()][spelling] ?? id;

export function worldFrom(choices: Choices): ModelWorld {
  const people = peopleFrom(choices);
  const spellings = everybody.map(() => choices.below(3));
  const live = liveFrom(choices, people);
  const state = stateFrom(choices, live);
  return { file: fileFrom(choices, spellings), state, live };
}

/** Some have left, cannot sign in, hide the e-mail, or have the one that another person had until now. */
function peopleFrom(choices: Choices): Person[] {
  const present = everybody.filter(() => !choices.rarely(8));
  const taken = new Set<string | undefined>();
  return present.map(({ id, email: own }, index) => {
    const others = present[(index + 1) % present.length]?.email;
    const wanted = choices.rarely(10) ? choices.pick([undefined, others]) : own;
    const email = wanted === undefined || !taken.has(wanted) ? wanted : `new-${own}`;
    taken.add(email);
    return { id, ...(email !== undefined && { email }), ...(choices.rarely(10) && { disabled: true }) };
  });
}

function liveFrom(choices: Choices, people: readonly Person[]): Live {
  const levelsOf = (some: readonly (Level | undefined)[]) =>
    Object.fromEntries(
      people.flatMap(({ id }) => {
        const level = choices.pick(some);
        return level ? [[id, level] as const] : [];
      }),
    );
  const inTeams = teams.map((team) => [team, levelsOf(["member", undefined, "owner", undefined])] as const);
  return { people, levels: { role: levelsOf(roles), ...Object.fromEntries(inTeams) } };
}

/** The same people after some changes by hand. */
export function driftFrom(choices: Choices, { file, state, live }: ModelWorld): ModelWorld {
  const levels = Object.entries(live.levels).map(([place, there]) => {
    const changed = live.people.flatMap(({ id }): [string, Level][] => {
      const level = !choices.rarely(4)
        ? there[id]
        : choices.pick<Level | undefined>(place === "role" ? roles : ["member", "owner", undefined]);
      return level === undefined ? [] : [[id, level]];
    });
    return [place, Object.fromEntries(changed)] as const;
  });
  const after = { ...live, levels: Object.fromEntries(levels) };
  return { file, live: after, state: refreshed(state, after) };
}

/** A refresh names undeclared people by e-mail, if the state has nobody else under it. */
function nameOfFound(id: Id, { people }: Live, held: readonly Held[]): string {
  const email = people.find((one) => one.id === id)?.email;
  return email === undefined || held.some((one) => one.name === email && one.id !== id) ? id : email;
}

/** What a refresh makes of a state: who is in a whole team is in it, and single memberships that have gone are not. */
function refreshed(state: State, live: Live): State {
  const byTeam = Object.entries(state.teams).map(([team, record]) => {
    const there = live.levels[team] ?? {};
    const isAway = ({ id = "" }: Held) => !live.people.some((one) => one.id === id);
    const staying = record.people.filter((one) => isAway(one) || there[one.id ?? ""]);
    const known = new Set(staying.map(({ id }) => id));
    const found = record.whole ? live.people.filter(({ id }) => there[id] && !known.has(id)) : [];
    const people = [
      ...staying.map((one) => ({ ...one, level: there[one.id ?? ""] ?? one.level })),
      ...found.map(
        ({ id }): Held => ({ name: nameOfFound(id, live, staying), id, level: there[id] as Level, found: true }),
      ),
    ];
    return [team, { ...record, people }] as const;
  });
  const held = state.roles.map((one) => ({ ...one, level: live.levels.role?.[one.id ?? ""] ?? one.level }));
  return { ...state, roles: held, teams: Object.fromEntries(byTeam) };
}

function stateFrom(choices: Choices, live: Live): State {
  const held = (
    place: Place,
    level: Level,
    isHeld: (there: Level | undefined, isMember: boolean) => boolean,
  ): Held[] => [
    ...everybody.flatMap((person): Held[] => {
      const there = live.levels[place]?.[person.id];
      if (
        !isHeld(
          there,
          live.people.some(({ id }) => id === person.id),
        )
      )
        return [];
      return [{ name: nameOf(person, choices.below(2)), id: person.id, level: there ?? level }];
    }),
    ...(choices.rarely(8) ? [{ name: pending, level }] : []),
  ];
  const managed = held("role", "edit", () => choices.below(2) === 0);
  const byTeam = teams.flatMap((team) => {
    const kind = choices.below(3);
    if (kind === 0) return [];
    const whole = kind === 1;
    const people = held(team, "member", (there, isMember) =>
      isMember ? there !== undefined && (whole || choices.below(2) === 0) : choices.rarely(4),
    );
    return [
      [
        team,
        {
          whole,
          people: people.map((one) =>
            whole && live.levels[team]?.[one.id ?? ""] && choices.rarely(4)
              ? { ...one, name: nameOfFound(one.id ?? "", live, people), found: true }
              : one,
          ),
          ...(whole && choices.rarely(4) && { leaves: true }),
          ...(whole && choices.rarely(4) && { allowNoOwner: true }),
        },
      ] as const,
    ];
  });
  const isHeld = ({ id }: Person) => managed.some((one) => one.id === id);
  return {
    roles: managed.map((one) => (one.id ? { ...one, previous: choices.pick(roles) } : one)),
    teams: Object.fromEntries(byTeam),
    elsewhere: live.people.filter((one) => !isHeld(one) && choices.rarely(10)).map(({ id }) => id),
  };
}

function fileFrom(choices: Choices, spellings: readonly number[]): ModelFile {
  const nameAt = (index: number) => nameOf(everybody[index] as (typeof everybody)[number], spellings[index] ?? 0);
  const linesFrom = (some: readonly Level[], follows: readonly ModelLine["then"][], often: number) => [
    ...everybody.flatMap((_, index): ModelLine[] => {
      if (choices.below(often) === often - 1) return [];
      const until = choices.pick([undefined, undefined, undefined, -1, 0, undefined]);
      const from = choices.rarely(12) ? choices.pick([1, -3]) : undefined;
      return [
        {
          name: nameAt(index),
          level: choices.pick(some),
          ...(until !== undefined && { until, then: choices.pick(follows) }),
          ...(from !== undefined && (until === undefined || from <= until) && { from }),
          ...(choices.rarely(8) && some.includes("admin") && { allowRaise: true }),
        } as ModelLine,
      ];
    }),
    ...(choices.rarely(10)
      ? [{ name: choices.pick([pending, pending, pending, "user_gone"]), level: choices.pick(some) }]
      : []),
  ];
  const patterns = () => ["*@vendor.test", nameAt(2), "user_dan"].filter(() => choices.rarely(5));
  const lines = linesFrom(roles, ["read", "admin", "restore", "remove", "guest"], 3);
  const byTeam = teams.flatMap((team): [Place, FileTeam][] => {
    const kind = choices.below(4);
    if (kind === 0) return [];
    const people = linesFrom(["member", "owner"], ["member", "owner", "remove"], 2);
    if (kind === 1) return [[team, { whole: false, lines: people }]];
    const names = new Set(people.map(({ name }) => name.toLowerCase()));
    const ignore = patterns().filter((one) =>
      !one.startsWith("*") ? !names.has(one.toLowerCase()) : ![...names].some((name) => name.endsWith(one.slice(1))),
    );
    return [
      [
        team,
        {
          whole: true,
          lines: people,
          ...(ignore.length > 0 && { ignore }),
          ...(!choices.rarely(4) && { exclusive: true }),
          ...(!choices.rarely(3) && { allowNoOwner: true }),
          ...(choices.rarely(5) && { onRelease: "leave" as const }),
        },
      ],
    ];
  });
  const guards = {
    ...(choices.rarely(6) && { minAdmins: choices.below(3) + 1 }),
    ...(choices.rarely(10) && { requiredAdmins: [nameAt(0)] }),
    ...(choices.rarely(8) && { undeclaredAdmins: "refuse" as const }),
    ...(choices.rarely(5) && { maxRemovals: choices.below(6) }),
    ...(choices.rarely(12) && { absent: "refuse" as const }),
    ...(choices.rarely(12) && { pending: "refuse" as const }),
  };
  return {
    ...(choices.below(2) === 1 && { onRelease: choices.pick(["restore", "leave", "guest", "remove"] as const) }),
    ...(choices.rarely(3) && {
      others: choices.pick(["guest", "remove", "guest", "remove", "refuse", "keep"] as const),
      ignoreOthers: patterns(),
    }),
    lines,
    teams: Object.fromEntries(byTeam),
    guards,
  };
}

const dayOf = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);

function declared(lines: readonly ModelLine[]) {
  return Object.fromEntries(
    lines.map(({ name, level, from, until, then, allowRaise }) => {
      const grant = {
        role: level,
        ...(allowRaise && { allowRaise }),
        ...(from !== undefined && { from: dayOf(from) }),
        ...(until !== undefined && { expires: { on: dayOf(until), then } }),
      };
      return [name, Object.keys(grant).length === 1 ? level : grant];
    }),
  );
}

export function organizationFile({
  onRelease,
  others,
  ignoreOthers,
  lines,
  teams,
  guards,
}: ModelFile): OrganizationFile {
  const all = Object.entries(teams).map(([id, { whole, lines, ...options }]) => {
    return [id, whole ? { members: declared(lines), ...options } : { memberships: declared(lines) }] as const;
  });
  return {
    organization,
    ...(guards && Object.keys(guards).length > 0 && { guards }),
    ...(onRelease && { onRelease }),
    ...(others && { others: { members: others, ...(ignoreOthers?.length && { ignore: ignoreOthers }) } }),
    members: declared(lines),
    ...(all.length > 0 && { teams: Object.fromEntries(all) }),
  } as OrganizationFile;
}

/** What the stack has recorded. */
export function recordedChildren({ state, live }: ModelWorld): RecordedChild[] {
  const isMember = (id?: string) => live.people.some((one) => one.id === id);
  const keyOf = (name: string) => (name.includes("@") ? name.toLowerCase() : name);
  const common = (people: readonly Held[]) => ({
    organizationId: organization,
    userIds: Object.fromEntries(
      people.flatMap(({ name, id }) => (id && name.includes("@") ? [[keyOf(name), id]] : [])),
    ),
    pending: people.filter(({ id }) => id === undefined).map(({ name }) => keyOf(name)),
    absent: people.filter(({ id }) => id !== undefined && !isMember(id)).map(({ name }) => keyOf(name)),
  });
  const levelsOf = (people: readonly Held[]) => Object.fromEntries(people.map(({ name, level }) => [name, level]));
  const previousRoles = Object.fromEntries(
    state.roles.flatMap(({ id, previous }) => (id && isMember(id) && previous ? [[id, previous]] : [])),
  );
  const ofTeams = Object.entries(state.teams).flatMap(
    ([teamId, { whole, people, leaves, allowNoOwner }]): RecordedChild[] => {
      if (!whole)
        return people.map(({ name, id, level }) => {
          const outputs = {
            organizationId: organization,
            teamId,
            user: name,
            userId: id ?? null,
            role: level,
            pending: id === undefined,
          };
          return {
            resource: "TeamMembership",
            name: `acme-${teamId}/${keyOf(name)}`,
            outputs: { ...outputs, ...(id && !isMember(id) && { absent: true }) },
          };
        });
      const found = people.flatMap((one) => (one.found && one.id ? [one.id] : []));
      const options = { ...(leaves && { onRelease: "leave" }), ...(allowNoOwner && { allowNoOwner }) };
      return [
        {
          resource: "TeamMembers",
          name: `acme-${teamId}`,
          outputs: { ...common(people), teamId, members: levelsOf(people), found, ...options },
        },
      ];
    },
  );
  if (state.roles.length === 0) return ofTeams;
  const outputs = { ...common(state.roles), roles: levelsOf(state.roles), previousRoles };
  return [{ resource: "MemberRoles", name: "acme-members", outputs }, ...ofTeams];
}

/** What the component of the organization plans in a preview. */
export function plannedBy(world: ModelWorld): PlannedChange {
  const { state, live, file } = world;
  const recorded = recordedChildren(world);
  const members = live.people.map(({ id, email, disabled = false }) => {
    const role = live.levels.role?.[id];
    return {
      role: role === "guest" ? null : role,
      sso: false,
      disabled,
      user: { id, email, displayName: id },
    } as Member;
  });
  // The teams that the guards read.
  const read = [
    ...Object.keys(file.teams),
    ...Object.entries(state.teams).flatMap(([id, { leaves }]) => (leaves ? [] : id)),
  ];
  return planChange({
    name: "acme",
    organization: organizationFile(file),
    live: {
      members,
      teams: [...new Set(read)].map((id) => {
        const there = live.levels[id] ?? {};
        const people = live.people
          .filter((one) => there[one.id])
          .map(({ id, email, disabled = false }) => ({ userId: id, email, disabled, role: there[id] as string }));
        return { id, title: id, people };
      }),
      saml: [],
      sites: [],
    },
    recorded,
    formerComponents: [],
    rolesManagedElsewhere: state.elsewhere,
    existing: [],
    declaredBy: "organization.yaml",
    stack: { name: "main", isEmpty: recorded.length === 0, isRunByDocsOrg: true },
    now,
  });
}

const lineOf = ({ place, person, before, after }: Change) => `${place} ${person}: ${before} > ${after}`;
export const linesOfChanges = (changes: readonly Change[]) => changes.map(lineOf).sort();

export function linesOfPlan({ access }: PlannedChange): string[] {
  const changes = access.changes.filter(({ place }) => place.kind !== "sso");
  return changes
    .map(({ place, person, before, after }) => `${place.team ?? "role"} ${person.id}: ${before} > ${after}`)
    .sort();
}

/** By the place in the file. The place of a line is the name in `members` or in a team. */
export const refusalsBy = (change: PlannedChange): string[] => {
  const placeOf = ([section, ...path]: readonly unknown[]) => {
    if (section === "members" && path.length === 1) return `role: ${path[0]}`;
    return section === "teams" && path.length === 3 ? `${path[0]}: ${path[2]}` : [section, ...path].join(".");
  };
  return [...new Set(findViolations(change).map(({ path }) => placeOf(path)))].sort();
};

/** The review of a preview that would change what the component plans. */
export function reviewBy(change: PlannedChange) {
  const { organization: file, recorded, access, lines } = change;
  // Resources outside of the component keep what their people have. Nobody has two resources.
  const isDeclared = (id: string) => lines.some(({ team, person }) => team === undefined && person.id === id);
  const others = change.rolesManagedElsewhere
    .filter((id) => !isDeclared(id))
    .map((user) => {
      const role = change.live.members.find((one) => one.user.id === user)?.role ?? "guest";
      const inputs = { organizationId: organization, user, role };
      return { resource: "MemberRole", name: user, inputs, outputs: { ...inputs, userId: user } };
    });
  const keyOf = (one: { resource: string; name: string }) => `${one.resource} ${one.name}`;
  const before = new Map([...recorded, ...others].map((one) => [keyOf(one), one]));
  const after = new Map([...childrenOf("acme", file, now), ...others].map((one) => [keyOf(one), one]));
  const changing = new Set(access.changes.map(({ by }) => by.id));
  const stateOf = (urn: string, outputs: Properties) => ({ urn, id: urn, inputs: outputs, outputs });
  const steps = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [old, child] = [before.get(key), after.get(key)];
    const urn = urnOfChild(...(key.split(/ (.*)/, 2) as [string, string]));
    const opOfBoth = changing.has(key) ? "update" : "same";
    const opOfOld = child ? opOfBoth : "delete";
    const op = old ? opOfOld : "create";
    return {
      op,
      urn,
      ...(old && { oldState: stateOf(urn, old.outputs) }),
      ...(child && { newState: { urn, inputs: child.inputs } }),
    };
  });
  const refreshes = steps.flatMap(({ urn, oldState }) =>
    oldState ? [{ op: "refresh", urn, oldState, newState: oldState }] : [],
  );
  const review = { ...reviewNotes(file), live: listLiveAccess(change) };
  const urn = "urn:pulumi:test::project::docs:index:Organization$docs:index:OrganizationNotes::acme-notes";
  const notes = { op: "create", urn, newState: { urn, custom: false, inputs: { review } } };
  return reviewOf(previewIn({ steps: [...refreshes, ...steps, notes], changeSummary: {} }, "the preview"));
}

/** The case as a person reads it. */
export function describeWorld(world: ModelWorld): string {
  const { file, live, state } = world;
  const documents = [organizationFile(file), { state: recordedChildren(world), elsewhere: state.elsewhere }, { live }];
  return documents.map((one) => stringify(one, { aliasDuplicateObjects: false })).join("---\n");
}
