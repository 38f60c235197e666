import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Stack } from "../../scripts/stack";
import { builtIn } from "../support/built-in-organization";
import { declare, edited, engineBench, program } from "./bench";

const globex = {
  title: "Globex",
  members: [
    { userId: "user_gus", email: "gus@globex.test", role: "admin" as const },
    { userId: "user_hal", email: "hal@globex.test", role: "edit" as const },
    { userId: "user_ivo", email: "ivo@globex.test", role: "comment" as const },
  ],
};
const bench = engineBench({ seed: { organizations: { ...builtIn, globex } } });
const { stackOf, done, refused, takeWrites } = bench;

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
  hugo@acme.test: { role: comment, expires: { on: 2027-01-31, then: restore } }
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

const roleOf = async (userId: string) => (await bench.client.getMember({ ...acme, userId })).role;

async function namesIn(stack: Stack) {
  return (await stack.resources()).map(({ urn }) => urn.split("::").slice(2).join("::")).sort();
}

it("creates the same resources for a file and for the same object in a program, and nothing that its guards refuse", async () => {
  const stack = await stackOf(fromFile, { ...bench.settings(), DOCS_NOW: "2026-11-21T12:00:00Z" });
  await declare(stack, organization);
  const title =
    /teams\.team_engineers: the declared title is "Makers", and the live title is "Engineers"; a team is renamed in the app only: if it was, write title: "Engineers", otherwise/;
  done(await stack.up(), /\+ 11 created/, /guide *: "site_/, title);
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
  takeWrites();

  await stack.write(program(`new docs.Organization("acme", ${JSON.stringify(parse(organization))});`));
  done(await stack.up(), /11 unchanged/);
  expect(takeWrites()).toEqual([]);
  expect(await namesIn(stack)).toEqual(names);

  await stack.write(fromFile);
  const threePeople = "  user_bea: { role: admin, sso: true }\n  cem@acme.test: create\n  dana@acme.test: create\n";
  await declare(stack, edited(edited(organization, threePeople), "minAdmins: 2, "));
  const words =
    /organization\.yaml:3:\d+: guards\.maxRemovals: 3 people would lose .*, and the limit is 2[\s\S]* cem@acme\.test: create becomes guest\n/;
  refused(await stack.up(), words);
  refused(await stack.up("--target", "**Site::acme-drafts"), words);
  expect(takeWrites()).toEqual([]);

  refused(await stack.destroy(), /is protected/, /pulumi state unprotect 'urn:pulumi:.*::acme-guide'/);

  await declare(stack, edited(organization, "published: true", "published: true\n    protect: false"));
  done(await stack.up());
  done(await stack.destroy());
  expect(await Promise.all(["user_bea", "user_cem", "user_hugo"].map(roleOf))).toEqual(["admin", "create", "comment"]);
});

it("applies guards to their own organization: beside another one, and under a new name", async () => {
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
  takeWrites();

  const renamed = declared("docs", "globex", { "hal@globex.test": "edit" }, { aliases: [{ name: "acme-eu" }] });
  await stack.write(program(acme, renamed));
  refused(
    await stack.preview(),
    /Organization "docs": guards\.maxRemovals: 1 person .* the limit is 0/,
    /ivo@globex\.test: review becomes guest/,
  );
  const withoutCem = declared("acme", "acme", { "nobody@acme.test": "edit" });
  await stack.write(program(withoutCem, declared("acme-eu", "globex", { ...people, "hal@globex.test": "review" })));
  refused(await stack.up(), /Organization "acme": guards\.maxRemovals: 1 person/, /"acme-eu": nothing is changed/);
  expect(takeWrites()).toEqual([]);
});
