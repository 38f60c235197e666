import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { defaultSeed } from "../../provider/emulator/seed/default";
import type { Stack } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const globex = {
  title: "Globex",
  members: [
    { userId: "user_gus", email: "gus@globex.test", role: "admin" as const },
    { userId: "user_hal", email: "hal@globex.test", role: "edit" as const },
    { userId: "user_ivo", email: "ivo@globex.test", role: "comment" as const },
  ],
};
const bench = engineBench({ seed: { organizations: { ...defaultSeed().organizations, globex } } });
const { stackOf, done, refused, writes } = bench;

const acme = { organizationId: "acme" };

/** The built-in organization, as far as its people and teams go, and something new. */
const organization = `
organization: acme
guards: { minAdmins: 2, requiredAdmins: [ada@acme.test], maxRemovals: 2 }
members:
  ada@acme.test: admin
  user_bea: { role: admin, sso: true }
  cem@acme.test: create
  dana@acme.test: create
  eli@acme.test: review
  femi@acme.test: { role: edit, reason: on-call, expires: { on: 2027-01-31, then: read } }
  gita@acme.test: edit
  hugo@acme.test: { role: comment, expires: { on: 2027-01-31, then: previous } }
teams:
  team_writers: { title: Writers, members: { cem@acme.test: owner, dana@acme.test: member, femi@acme.test: member } }
  team_support:
    title: Support
    members:
      hugo@acme.test: owner
      ines@acme.test: { role: member, reason: release week, expires: { on: 2027-03-05 } }
    ignore: [user_lena]
  team_engineers: { title: Makers }
saml:
  okta: { label: Okta, entityID: urn:okta, ssoURL: "https://okta.test/sso", defaultTeam: team_support }
sites:
  guide:
    title: Guide
    visibility: unlisted
    published: true
    spaces: [guides]
    adaptiveSchema: { claims: { beta: { type: boolean, description: Takes part in the beta } } }
  drafts: { title: Drafts, visibility: unlisted, protect: false }
translations:
  guides-es: { source: { space: guides, language: en }, language: es }
`;

const fromFile = program(
  'const acme = new docs.Organization("acme", { file: "organization.yaml" });',
  "export const { siteIds, translationIds } = acme;",
);

const declare = (stack: Stack, text: string) => writeFile(path.join(stack.folder, "organization.yaml"), text);

/** Replaces a part of a text, which must exist. */
const edited = (text: string, from: string | RegExp, to = "") => {
  const after = text.replace(from, to);
  expect(after).not.toBe(text);
  return after;
};

/** The same without the parts that would be duplicates. */
const peopleOnly = edited(organization, /^saml:[\s\S]*/m);

const roleOf = async (userId: string) => (await bench.client.getMember({ ...acme, userId })).role;

async function namesIn(stack: Stack) {
  return (await stack.resources()).map(({ urn }) => urn.split("::").slice(2).join("::")).sort();
}

it("creates the same resources for a file and for the same object in a program", async () => {
  const stack = await stackOf(fromFile, { ...bench.settings(), DOCS_NOW: "2026-11-21T12:00:00Z" });
  await declare(stack, organization);
  const title =
    /teams\.team_engineers: the declared title is "Makers", and the live title is "Engineers"; a team is renamed in the app only: if it was, write title: "Engineers", otherwise/;
  done(await stack.preview(), /\+ 11 to create/, title);
  expect(writes()).toEqual([]);
  done(await stack.up(), /\+ 11 created/, /guide *: "site_/);
  const child = (type: string, name: string) =>
    `docs:index:Organization$pulumi-nodejs:dynamic/docs:${type}::acme-${name}`;
  const names = [
    "docs:index:Organization$docs:index:OrganizationNotes::acme-notes",
    child("MemberRoles", "members"),
    child("SamlProvider", "okta"),
    child("Site", "drafts"),
    child("Site", "guide"),
    child("SiteAdaptiveSchema", "guide"),
    child("TeamMembers", "team_support"),
    child("TeamMembers", "team_writers"),
    child("Translation", "guides-es"),
    "docs:index:Organization::acme",
  ];
  expect(await namesIn(stack)).toEqual(names);
  writes();
  done(await stack.preview("--refresh", "--expect-no-changes"));

  await stack.write(program(`new docs.Organization("acme", ${JSON.stringify(parse(organization))});`));
  done(await stack.up(), /11 unchanged/);
  expect(writes()).toEqual([]);
  expect(await namesIn(stack)).toEqual(names);

  await stack.write(fromFile);
  await declare(stack, edited(organization, / {2}guide:\n( {4}.*\n)+/));
  refused(await stack.preview(), /is protected/, /pulumi state unprotect 'urn:pulumi:.*::acme-guide'/);
  refused(await stack.destroy(), /is protected/);

  await declare(stack, edited(organization, "published: true", "published: true\n    protect: false"));
  done(await stack.up());
  done(await stack.destroy());
  expect(await Promise.all(["user_bea", "user_cem", "user_hugo"].map(roleOf))).toEqual(["admin", "create", "comment"]);
});

it("ends a grant after its last day, and warns in previews for two weeks before", async () => {
  const stack = await stackOf(fromFile, { ...bench.settings(), DOCS_NOW: "2027-01-17T00:00:00Z" });
  const granted = edited(edited(peopleOnly, "maxRemovals: 2", "maxRemovals: 3"), "role: comment", "role: review");
  await declare(stack, granted);
  const soon =
    /warning: femi@acme\.test has the role edit to the end of 2027-01-31 \(UTC\), in 14 days, and then gets the role read/;
  done(await stack.up(), soon);
  expect(await roleOf("user_femi")).toBe("edit");
  writes();
  stack.environment.DOCS_NOW = "2027-01-31T23:59:59Z";
  done(await stack.up(), /6 unchanged/, /2027-01-31 \(UTC\), today/);
  expect(writes()).toEqual([]);

  stack.environment.DOCS_NOW = "2027-03-06T00:00:00Z";
  done(
    await stack.up(),
    /femi@acme\.test had the role edit .* and now gets the role read/,
    /hugo@acme\.test had the role review .* and now gets back the previous role/,
    /ines@acme\.test was member of team team_support .* and now is removed from the team/,
  );
  expect(await Promise.all(["user_femi", "user_hugo"].map(roleOf))).toEqual(["read", "comment"]);
  const support = await bench.client.listTeamMembers({ ...acme, teamId: "team_support" }).all();
  expect(support.map(({ organization }) => organization.user.id).sort()).toEqual(["user_hugo", "user_lena"]);
  writes();
  done(await stack.preview("--refresh", "--expect-no-changes"));
  expect(writes()).toEqual([]);
  await bench.client.updateMember({ ...acme, userId: "user_femi", body: { role: "edit" } });
});

it("refuses violations of guards at preview and at up, before anything is written", async () => {
  const stack = await stackOf(fromFile, { ...bench.settings(), DOCS_NOW: "2026-11-21T12:00:00Z" });
  const plans = "sites:\n  plans: { title: Plans, visibility: unlisted, published: true, protect: false }\n";
  const guarded = peopleOnly + plans;
  await declare(stack, guarded);
  done(await stack.up());
  writes();

  const managers = "  user_bea: { role: admin, sso: true }\n  cem@acme.test: create\n  dana@acme.test: create\n";
  const worse = edited(edited(edited(guarded, managers), "unlisted", "public"), "minAdmins: 2, ");
  await declare(stack, worse);
  const words = [
    /organization\.yaml:3:\d+: guards\.maxRemovals: 3 people would lose a role or a membership, and the limit is 2/,
    / {2}bea@acme\.test: admin becomes guest\n/,
    / {2}cem@acme\.test: create becomes guest\n/,
    /organization\.yaml:\d+:\d+: sites\.plans\.visibility: site "Plans" would become public for everybody .*; declare allowPublic: true/,
  ];
  refused(await stack.preview(), ...words);
  refused(await stack.up(), ...words);
  refused(await stack.up("--target", "**Site::acme-plans"), ...words);
  expect(writes()).toEqual([]);

  // The file declares enough administrators, but one of them is no longer a member.
  const gone = edited(
    edited(guarded, "[ada@acme.test]", "[ada@acme.test, gus@acme.test]"),
    "members:\n",
    "members:\n  gus@acme.test: admin\n",
  );
  await declare(stack, gone);
  refused(await stack.preview(), /requiredAdmins\[1\]: gus@acme\.test is not a member of the organization/);

  // Nobody is locked out without guards either.
  const unguarded = edited(guarded, /^guards.*\n/m);
  const nobody = edited(edited(unguarded, "test: admin", "test: read"), "role: admin, sso: true", "role: read");
  await declare(stack, nobody);
  refused(
    await stack.up(),
    /members: the change would remove the last administrator \(ada@acme\.test, bea@acme\.test until now\)/,
  );
  refused(await stack.up("--target", "**MemberRoles::acme-members"), /administrator/);
  const admins = (await bench.client.listMembers(acme).all()).filter(({ role }) => role === "admin");
  expect(admins.length).toBeGreaterThan(0);
});

it("applies guards to their own organization: beside another one, under a new name, and for an object in a program", async () => {
  const declared = (name: string, id: string, people: object, options = {}) =>
    `new docs.Organization("${name}", ${JSON.stringify({
      organization: id,
      guards: { maxRemovals: 0 },
      members: people,
    })}, ${JSON.stringify(options)});`;
  const acme = declared("acme", "acme", { "cem@acme.test": "create" });
  const people = { "hal@globex.test": "edit", "ivo@globex.test": "review" };
  const stack = await stackOf(program(acme, declared("acme-eu", "globex", people)));
  done(await stack.up());
  writes();
  done(await stack.preview());

  const renamed = declared("docs", "globex", { "hal@globex.test": "edit" }, { aliases: [{ name: "acme-eu" }] });
  await stack.write(program(acme, renamed));
  refused(
    await stack.preview(),
    /Organization "docs": guards\.maxRemovals: 1 person would lose a role or a membership, and the limit is 0/,
    /ivo@globex\.test: review becomes guest/,
  );
  const nonMembers = declared("acme", "acme", { "nobody@acme.test": "edit" });
  await stack.write(program(nonMembers, declared("acme-eu", "globex", { ...people, "hal@globex.test": "review" })));
  refused(await stack.up(), /nobody@acme\.test is not a member/, /"acme-eu": nothing is changed/);
  expect(writes()).toEqual([]);

  await stack.write(program(acme, declared("docs", "globex", { "hal@globex.test": "edit" })));
  refused(
    await stack.preview(),
    /organization: the stack manages "globex" as acme-eu, which is no longer in the program: .* aliases: \["urn:pulumi:test::docs-org-test::docs:index:Organization::acme-eu"\]/,
    /Organization "acme": nothing is changed, because Organization "docs" is refused/,
  );

  const misspelt =
    'new docs.Organization("acme-eu", { organization: "globex", members: { user_hal: "king" } } as any);';
  await stack.write(program(declared("acme", "acme", { "cem@acme.test": "admin" }), misspelt));
  refused(
    await stack.up("--skip-preview"),
    /members\.user_hal: found "king"/,
    /Organization "acme": nothing is changed, because Organization "acme-eu" is refused/,
  );
  expect(writes()).toEqual([]);

  await stack.write(program(acme, declared("more", "acme", { "gita@acme.test": "edit" })));
  refused(
    await stack.up(),
    /error: Organization "more": Organization "acme" of this program already declares organization "acme", .*; declare the organization in one component/,
  );

  await stack.write(program('new docs.Organization("acme", { file: "organization.yaml", guards: {} } as any);'));
  refused(await stack.preview(), /error: guards: use either file or guards;/);
  await stack.write(
    program(
      'new docs.Organization("a", { organization: "acme", members: { user_a: pulumi.output("admin") } } as any);',
    ),
  );
  refused(await stack.preview(), /error: members\.user_a is an output, whose value is not known yet/);
  expect(writes()).toEqual([]);
});
