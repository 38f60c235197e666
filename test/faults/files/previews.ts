import fc from "fast-check";
import { type PreviewStep, print } from "../../review/support";

/** Random previews of one stack, and what each gives to each person: a model that shares no code with the reviews. */

const people = [0, 1, 2] as const;
const nameOf = (person: number, byEmail: boolean) => (byEmail ? `p${person}@acme.test` : `user_p${person}`);
const roles = ["guest", "read", "edit", "create", "admin"] as const;
const order: readonly string[] = ["none", ...roles, "member", "owner"];
const releases = ["restore", "leave", "guest", "remove"] as const;

/** What a stack has, or a program declares. */
const side = fc.record({
  /** The role of each person; `single` has a `MemberRole` of its own, the others are in one `MemberRoles`. */
  roles: fc.tuple(
    ...people.map(() => fc.option(fc.record({ level: fc.constantFrom(...roles), single: fc.boolean() }))),
  ),
  releases: fc.record({ destroy: fc.constantFrom(...releases), removal: fc.option(fc.constantFrom(...releases)) }),
  team: fc.tuple(...people.map(() => fc.option(fc.constantFrom("owner", "member")))),
  /** One `TeamMembers`, or a `TeamMembership` for each person. */
  whole: fc.boolean(),
  leaves: fc.boolean(),
  ignored: fc.subarray([...people], { maxLength: 1 }),
  byEmail: fc.boolean(),
  site: fc.option(fc.record({ title: fc.constantFrom("One", "Two"), published: fc.boolean() })),
});
type Side = typeof side extends fc.Arbitrary<infer One> ? One : never;

export interface RandomPreview {
  /** What the last up has left, and what a refresh finds. */
  readonly recorded: Side;
  readonly live: Side;
  readonly declared: Side;
  /** The previous roles in the state. */
  readonly previous: readonly string[];
}
const previous = fc.tuple(...people.map(() => fc.constantFrom(...roles)));

/** Another side, which differs from this one in a few parts. */
const changed = (one: Side): fc.Arbitrary<Side> =>
  fc
    .tuple(side, fc.subarray(Object.keys(one) as (keyof Side)[], { maxLength: 2 }), fc.constantFrom(...people))
    .map(([other, parts, person]) => {
      const mix = { ...one, ...Object.fromEntries(parts.map((part) => [part, other[part]])) } as Side;
      // Only one of the people changes, so that two previews often agree about the others.
      const only = <One>(before: readonly One[], after: readonly One[]) =>
        before.map((level, index) => (index === person ? after[index] : level));
      return { ...mix, roles: only(one.roles, mix.roles), team: only(one.team, mix.team) } as Side;
    });

/** Outside Pulumi, only values change: no resource appears or disappears. */
const driftOf = (one: Side): fc.Arbitrary<Side> =>
  side.map((other) => ({
    ...one,
    roles: one.roles.map(
      (role, index) => role && { ...role, level: other.roles[index]?.level ?? role.level },
    ) as Side["roles"],
    team: one.team.map((role, index) => role && (other.team[index] ?? role)) as Side["team"],
    site: one.site && { ...one.site, title: other.site?.title ?? one.site.title },
  }));

const preview = fc.tuple(side, previous).chain(([recorded, previous]) =>
  fc.record({
    recorded: fc.constant(recorded),
    live: fc.oneof({ weight: 2, arbitrary: fc.constant(recorded) }, { weight: 1, arbitrary: driftOf(recorded) }),
    declared: changed(recorded),
    previous: fc.constant(previous),
  }),
);

/** A reviewed preview, and another one: of the same program, of a changed one, or after further changes outside Pulumi. */
export const pairs: fc.Arbitrary<readonly [RandomPreview, RandomPreview]> = preview.chain((one) =>
  fc.tuple(
    fc.constant(one),
    fc.record({
      recorded: fc.constant(one.recorded),
      live: fc.oneof(fc.constant(one.live), fc.constant(one.recorded), driftOf(one.recorded)),
      declared: fc.oneof(fc.constant(one.declared), fc.constant(one.recorded), changed(one.declared)),
      previous: fc.constant(one.previous),
    }),
  ),
);

type Resources = Map<string, { readonly type: string; readonly inputs: object; readonly outputs: object }>;

function resourcesOf(one: Side, previous: readonly string[]): Resources {
  const found: Resources = new Map();
  const add = (type: string, name: string, inputs: object, outputs: object = {}) =>
    found.set(`${type} ${name}`, { type, inputs, outputs });
  const ids = Object.fromEntries(people.map((person) => [nameOf(person, true), nameOf(person, false)]));
  const name = (person: number) => nameOf(person, one.byEmail);
  const many: Record<string, string> = {};
  for (const person of people) {
    const role = one.roles[person];
    if (role && !role.single) many[name(person)] = role.level;
    if (!role?.single) continue;
    const { destroy: onRelease } = one.releases;
    const outputs = { userId: nameOf(person, false), previousRole: previous[person] };
    add("MemberRole", `p${person}`, { user: name(person), role: role.level, onRelease }, outputs);
  }
  const { removal, destroy } = one.releases;
  const previousRoles = Object.fromEntries(people.map((person) => [nameOf(person, false), previous[person]]));
  if (Object.keys(many).length > 0)
    add(
      "MemberRoles",
      "all",
      { roles: many, onRelease: removal ? { destroy, removal } : destroy },
      { userIds: ids, previousRoles },
    );
  const members = Object.fromEntries(
    people.flatMap((person) => (one.team[person] ? [[name(person), one.team[person]]] : [])),
  );
  const { ignored, leaves } = one;
  const ignore = ignored.filter((person) => !one.team[person]).map((person) => nameOf(person, false));
  const team = { teamId: "team_a", members, ignore, onRelease: leaves ? "leave" : "remove" };
  if (one.whole) add("TeamMembers", "team", team, { userIds: ids, pending: [], found: [] });
  else
    for (const person of people) {
      const role = one.team[person];
      if (!role) continue;
      const outputs = { userId: nameOf(person, false), pending: false };
      add("TeamMembership", `p${person}`, { teamId: "team_a", user: name(person), role }, outputs);
    }
  if (one.site) add("Site", "book", one.site);
  return found;
}

/** What `pulumi preview --refresh --json` prints. */
export function printed({ recorded, live, declared, previous }: RandomPreview): string {
  const sides = [recorded, live, declared].map((one) => resourcesOf(one, previous)) as [
    Resources,
    Resources,
    Resources,
  ];
  const [before, found, wanted] = sides;
  const steps = [...new Set([...found.keys(), ...wanted.keys()])].map((key): PreviewStep => {
    const [type = "", name = ""] = key.split(" ");
    const [was, now, after] = [before.get(key), found.get(key), wanted.get(key)];
    return {
      op: operationOf(now?.inputs, after?.inputs),
      type,
      name,
      outputs: now?.outputs ?? {},
      ...(was && { recorded: was.inputs }),
      ...(now && { live: now.inputs }),
      ...(after && { declared: after.inputs }),
    };
  });
  const content = JSON.parse(print(steps));
  // The refresh of the stack itself, so that there is always a refresh.
  const urn = "urn:pulumi:prod::docs::pulumi:pulumi:Stack::docs-prod";
  return JSON.stringify({
    ...content,
    steps: [{ op: "refresh", urn, oldState: { inputs: {}, outputs: {} } }, ...content.steps],
  });
}

function operationOf(now: object | undefined, after: object | undefined): PreviewStep["op"] {
  if (!now) return "create";
  if (!after) return "delete";
  return JSON.stringify(now) === JSON.stringify(after) ? "same" : "update";
}

export interface Effect {
  readonly before: string;
  readonly after: string;
}

/** What the preview changes: the level of each person in each place, and the properties of the site. */
export function effectsOf({ live, declared, previous }: RandomPreview): Map<string, Effect> {
  const effects = new Map<string, Effect>();
  const note = (what: string, before: string, after: string) => {
    if (before !== after) effects.set(what, { before, after });
  };
  for (const person of people) {
    const [role, wanted] = [live.roles[person], declared.roles[person]];
    const released = role && !wanted ? releasedRole(live, declared, role, previous[person] ?? "") : "unmanaged";
    if (wanted) note(`role of ${person}`, role?.level ?? "unmanaged", wanted.level);
    else if (role) note(`role of ${person}`, role.level, released);
    const [teammate, place] = [live.team[person], declared.team[person]];
    // The service removes a person from every team with the membership of the organization.
    const before = teammate ?? (live.whole ? "none" : "unmanaged");
    if (released === "none" && (place || teammate)) note(`team of ${person}`, before, "none");
    else if (place) note(`team of ${person}`, before, place);
    else if (teammate) note(`team of ${person}`, teammate, staysInTeam(live, declared, person) ? teammate : "none");
  }
  if (!declared.site) note("site", live.site ? "there" : "none", "none");
  else
    for (const name of ["title", "published"] as const)
      note(`site ${name}`, String(live.site?.[name] ?? "none"), String(declared.site[name]));
  return effects;
}

/** A `MemberRoles` that stays decides by what is declared; a deleted resource by what the state has. */
function releasedRole(
  live: Side,
  declared: Side,
  { level, single }: { level: string; single: boolean },
  previous: string,
) {
  const stays = !single && declared.roles.some((role) => role && !role.single);
  const { destroy, removal } = (stays ? declared : live).releases;
  const release = stays ? (removal ?? destroy) : destroy;
  if (release === "leave") return level;
  if (release === "remove") return "none";
  if (release === "guest") return "guest";
  return order.indexOf(previous) < order.indexOf(level) ? previous : level;
}

function staysInTeam(live: Side, declared: Side, person: number): boolean {
  if (!live.whole) return false;
  return declared.whole ? declared.ignored.includes(person as never) : live.leaves;
}

/** Whether the change takes something away. */
export const takes = ({ before, after }: Effect): boolean => order.indexOf(after) < order.indexOf(before);
