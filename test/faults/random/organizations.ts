import fc from "fast-check";
import { putInTeam } from "../../../provider/emulator/members/record";
import type { SeedOrganization } from "../../../provider/emulator/seed/seed";
import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { propertiesIn } from "../../../provider/run/properties";
import { certificateOne } from "../../support/certificates";

/** Random organizations: what the service has, what a file declares, and what people change outside Pulumi. */

export const randomNow = new Date("2026-12-01T12:00:00Z");

const numbers = [0, 1, 2, 3, 4, 5] as const;
const roles = ["admin", "create", "review", "edit", "comment", "read"] as const;
const teamRoles = ["owner", "member"] as const;
const teamIds = ["team_a", "team_b", "team_c"] as const;
export const userOf = (number: number): string => `user_p${number}`;
export const emailOf = (number: number): string => `p${number}@acme.test`;

const role = fc.constantFrom(...roles);
const teamRole = fc.constantFrom(...teamRoles);
const roleOrGuest = fc.constantFrom(...roles, "guest" as const);
/** Texts that formats and terminals take for something else; control characters are refused by the file. */
export const text = (least: number, most: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.string({ unit: "grapheme", minLength: least, maxLength: Math.min(most, 20) }),
      fc.constantFrom("[secret]", "yes", "- a: b", "$(x)", "</script>", "`'\"", "04da6b54", "__proto__", "null"),
    )
    .filter((one) => one.length >= least && one.length <= most && !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(one));

const someOf = <Key extends string | number, Value>(keys: readonly Key[], value: fc.Arbitrary<Value>) =>
  fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] }) as fc.Arbitrary<
    Partial<Record<Key, Value>>
  >;

/** An administrator that no file declares can always sign in, so that most changes pass the guards. */
export const seeds: fc.Arbitrary<SeedOrganization> = fc
  .record({
    // Two people in ten hide the e-mail.
    members: fc.tuple(
      ...numbers.map(() => fc.record({ role: fc.option(role), hidden: fc.integer({ min: 0, max: 9 }) })),
    ),
    teams: fc.tuple(...teamIds.map(() => someOf(numbers, teamRole))),
  })
  .map(({ members, teams }) => ({
    title: "Acme",
    spaces: [{ id: "guides", title: "Guides" }],
    members: [
      { userId: "user_ada", email: "ada@acme.test", role: "admin" as const },
      ...members.map(({ role, hidden }, number) => {
        return { userId: userOf(number), role, ...(hidden > 1 && { email: emailOf(number) }) };
      }),
    ],
    teams: teams.map((members, index) => ({
      id: teamIds[index] as string,
      members: Object.fromEntries(Object.entries(members).map(([number, role]) => [userOf(Number(number)), role])),
    })),
    sites: [{ id: "site_other", title: "Nobody declares this" }],
  }));

/** A name of the person in a file. A hidden e-mail names nobody. */
function nameIn(seed: SeedOrganization, number: number, spelling: number): string {
  const { email } = seed.members?.find(({ userId }) => userId === userOf(number)) ?? {};
  if (email === undefined || spelling === 0) return userOf(number);
  return spelling === 1 ? email : email.toUpperCase();
}

const spelling = fc.nat(2);
const reason = fc.option(text(1, 40), { nil: undefined });
/** The end of a grant: it was yesterday or an hour ago, or is today or later. */
const end = fc.constantFrom("2026-11-30", "2026-12-01T12:00+01:00", "2026-12-01", "2026-12-01T12:00:01Z", "2027-06-30");
const later = "2026-12-02";
/** The beginning: it was before, is now, or is later. */
const beginning = fc.constantFrom(undefined, undefined, "2026-11-29", "2026-12-01T13:00+01:00", later);

const grant = <Role, Then>(role: fc.Arbitrary<Role>, then: fc.Arbitrary<Then>) =>
  fc.record({
    role,
    spelling,
    note: fc.option(
      fc
        .record({ reason, from: beginning, expires: fc.option(fc.record({ on: end, then }), { nil: undefined }) })
        .filter(({ from, expires }) => !from || !expires || Date.parse(from) < Date.parse(expires.on)),
    ),
  });

interface Granted<Role, Then> {
  readonly role: Role;
  readonly spelling: number;
  readonly note: {
    readonly reason: string | undefined;
    readonly from: string | undefined;
    readonly expires: { on: string; then: Then } | undefined;
  } | null;
}

function grantsIn<Role, Then>(
  seed: SeedOrganization,
  people: Partial<Record<number, Granted<Role, Then>>>,
  spellingOf: (number: number, spelling: number) => number = (_, spelling) => spelling,
) {
  const entries = Object.entries(people) as [string, Granted<Role, Then>][];
  return Object.fromEntries(
    entries.map(([number, { role, spelling, note }]) => {
      const { reason, from, expires } = note ?? {};
      const declared = note
        ? { role, ...(reason !== undefined && { reason }), ...(from && { from }), ...(expires && { expires }) }
        : role;
      return [nameIn(seed, Number(number), spellingOf(Number(number), spelling)), declared];
    }),
  );
}

const memberGrants = someOf(numbers, grant(roleOrGuest, fc.constantFrom(...roles, "guest", "remove", "restore")));
const teamGrants = someOf(numbers, grant(teamRole, fc.constantFrom(...teamRoles, "remove")));

const claims = someOf(
  ["plan", "beta", "tier"],
  fc.record({ type: fc.constantFrom("string", "boolean"), description: text(1, 20) }),
);
const site = fc.record(
  {
    title: text(2, 60),
    visibility: fc.constantFrom("public", "unlisted", "share-link", "visitor-auth"),
    published: fc.boolean(),
    adaptiveSchema: fc.record({ claims }),
  },
  { requiredKeys: ["title", "published"] },
);
/** A part of a path, as it is or percent-encoded. */
const segment = fc.oneof(
  fc.stringMatching(/^[\w.~!$&'()*+,;=:@-]*$/),
  fc.string({ unit: "grapheme", maxLength: 8 }).map(encodeURIComponent),
);
/** One for both addresses, because fast-check makes a table of characters for each; fc.webUrl() takes a second to. */
const address = fc
  .tuple(fc.constantFrom("http", "https"), fc.domain(), fc.array(segment, { maxLength: 5 }))
  .map(([scheme, host, path]) => `${scheme}://${[host, ...path].join("/")}`);
const provider = fc.record(
  {
    label: text(1, 20),
    entityID: address,
    ssoURL: address,
    certificate: fc.constant(certificateOne),
    defaultRole: roleOrGuest,
  },
  { requiredKeys: ["label"] },
);
const translation = fc.record({ instructions: text(1, 40) }, { requiredKeys: [] });

const model = fc.record({
  onRelease: fc.constantFrom(undefined, "leave", "restore", "guest", "remove"),
  members: memberGrants,
  teams: someOf(
    teamIds,
    fc.record({ people: teamGrants, all: fc.boolean(), onRelease: fc.constantFrom(undefined, "remove", "leave") }),
  ),
  sites: someOf(["one", "two"], site),
  saml: someOf(["okta", "entra"], provider),
  translations: someOf(["fr", "el"], translation),
});

/** Texts differ between objects, and none is a duplicate of another. */
const numbered = (key: string, title: string) => `${key} ${title}`;
const mapped = <Value, To>(map: Partial<Record<string, Value>>, to: (value: Value, key: string) => To) =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, to(value as Value, key)]));

/** Always the same: people who are no longer ignored stay until a preview has shown them. */
const ignoredIn: Readonly<Record<string, number>> = { team_a: 4, team_c: 5 };

/**
 * Always the same, and never with another grant: a guard refuses a later grant of a person with a managed role there, and in a
 * whole team the person is ignored.
 */
const laterIn: Readonly<Record<string, number>> = { members: 1, team_a: 2, team_b: 3 };

const withoutLater = (grants: Record<string, unknown>) =>
  mapped(grants, (grant) => (propertiesIn(grant).from === later ? { ...propertiesIn(grant), from: undefined } : grant));

/** The roles of the organization. */
function rolesOf(seed: SeedOrganization, people: Model["members"]) {
  const waiting = laterIn.members;
  // Always the same spelling: a release refuses people that the state has under another name.
  return mapped(withoutLater(grantsIn(seed, people, (number) => number % 3)), (one, name) =>
    name.toLowerCase() === nameIn(seed, waiting as number, 1)
      ? { role: propertiesIn(one).role ?? one, from: later }
      : one,
  );
}

function teamOf(seed: SeedOrganization, { people, all, onRelease }: Teams[string], id: string) {
  const [ignored, waiting] = [ignoredIn[id], laterIn[id]];
  const present = Object.entries(people).filter(([number]) => Number(number) !== waiting);
  if (!all) return { memberships: withoutLater(grantsIn(seed, Object.fromEntries(present) as never)) };
  const others = present.filter(([number]) => Number(number) !== ignored);
  return {
    members: {
      ...withoutLater(grantsIn(seed, Object.fromEntries(others) as never)),
      ...(waiting !== undefined && { [nameIn(seed, waiting, 0)]: { role: "owner", from: later } }),
    },
    exclusive: true,
    allowNoOwner: true,
    ...(ignored !== undefined && { ignore: [nameIn(seed, ignored, 0)] }),
    ...(onRelease && { onRelease }),
  };
}

type Model = typeof model extends fc.Arbitrary<infer One> ? One : never;
type Teams = Record<string, NonNullable<Model["teams"]["team_a"]>>;

/** A file for the organization of the seed. */
export const declarationFor = (seed: SeedOrganization, organization: string): fc.Arbitrary<OrganizationFile> =>
  model.map(({ onRelease, members, teams, sites, saml, translations }) => ({
    organization,
    ...(onRelease && { onRelease }),
    members: rolesOf(seed, members),
    teams: mapped(teams, (one, id) => teamOf(seed, one as Teams[string], id)),
    sites: mapped(sites, (one, key) => ({
      ...one,
      title: numbered(key, one.title),
      protect: false,
      allowPublic: true,
    })),
    saml: mapped(saml, (one, key) => ({ ...one, label: numbered(key, one.label) })),
    translations: mapped(translations, (one, language) => ({
      ...one,
      source: { space: "guides", language: "en" },
      language,
    })),
  })) as fc.Arbitrary<OrganizationFile>;

/** A change that somebody makes outside Pulumi. `which` chooses among the objects that exist. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("role" as const), number: fc.constantFrom(...numbers), role: fc.option(role) }),
  fc.record({
    kind: fc.constant("team" as const),
    team: fc.constantFrom(...teamIds),
    number: fc.constantFrom(...numbers),
    role: fc.option(teamRole),
  }),
  fc.record({
    kind: fc.constant("site" as const),
    which: fc.nat(),
    title: fc.option(text(2, 30)),
    published: fc.option(fc.boolean()),
    gone: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("saml" as const), which: fc.nat(), label: text(1, 20), gone: fc.boolean() }),
  fc.record({ kind: fc.constant("translation" as const), which: fc.nat(), gone: fc.boolean() }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;
export const arbitraryChanges: fc.Arbitrary<Change[]> = fc.array(change, { minLength: 1, maxLength: 5 });

/** Makes the change as a person does who uses the service's user interface. */
export function make(change: Change, { members, teams, sites, saml, translations }: OrganizationRecord): void {
  if (change.kind === "role") {
    const member = members.get(userOf(change.number));
    if (member) member.role = change.role;
  } else if (change.kind === "team") {
    const [team, user] = [teams.get(change.team), userOf(change.number)];
    if (!team || !members.has(user)) return;
    if (change.role) putInTeam(team, user, change.role);
    else team.members.delete(user);
  } else if (change.kind === "site") {
    const site = [...sites.values()][change.which % Math.max(1, sites.size)];
    if (!site) return;
    if (change.gone) sites.delete(site.id);
    site.title = change.title ?? site.title;
    site.published = change.published ?? site.published;
  } else if (change.kind === "saml") {
    const provider = [...saml.values()][change.which % Math.max(1, saml.size)];
    if (!provider) return;
    if (change.gone) saml.delete(provider.id);
    provider.label = change.label;
  } else {
    const translation = [...translations.values()][change.which % Math.max(1, translations.size)];
    if (!translation) return;
    if (change.gone) translations.delete(translation.id);
    else translation.instructions = { object: "document", data: { schemaVersion: 1 }, nodes: [] };
  }
}
