import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { pluginProject } from "../../../scripts/plugin-stack";
import type { CommandOutcome, Stack } from "../../../scripts/stack";
import { declare, edited, engineBench, program } from "../bench";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

/** A TypeScript program, with the class of this package. */
const fromFile = {
  text: [
    'import * as docs from "pulumi-docs-org/plugin";',
    'const acme = new docs.Organization("acme", { file: "organization.yaml" });',
    "export const { siteIds, publishedUrls, translationIds, samlProviderIds, samlAcsUrls, siteHostnames } = acme;",
  ].join("\n"),
};

const organization = `organization: acme
guards: { minAdmins: 1 }
members:
  ada@acme.test: admin
  user_bea: admin
  cem@acme.test: create
teams:
  team_writers: { title: Texts, members: { cem@acme.test: owner, dana@acme.test: member, femi@acme.test: member } }
saml:
  okta: { label: Okta, entityID: urn:okta, ssoURL: "https://okta.test/sso" }
sites:
  guide:
    title: Guide
    visibility: unlisted
    published: true
    adaptiveSchema: { claims: { beta: { type: boolean, description: Takes part in the beta } } }
  drafts: { title: Drafts, visibility: unlisted, protect: false }
translations:
  guides-es: { source: { space: guides, language: en }, language: es }
`;

async function typesIn(stack: Stack): Promise<string[]> {
  return [...new Set((await stack.resources()).map(({ type }) => type))].sort();
}

/** The SDK of the program may print a stack of its own when the engine ends the command. */
function refusedBy({ status, output }: CommandOutcome, ...texts: RegExp[]): void {
  expect(status).not.toBe(0);
  for (const text of texts) expect(output).toMatch(text);
  expect(output).not.toMatch(/connection is closing|exited prematurely/);
}

async function idsIn(stack: Stack): Promise<Record<string, string | undefined>> {
  const resources = (await stack.resources()).filter(({ type }) => /:(Site|SamlProvider|Translation)$/.test(type));
  return Object.fromEntries(resources.map(({ urn, id }) => [urn.split("::").at(-1), id]));
}

const types = [
  "MemberRoles",
  "Organization",
  "OrganizationNotes",
  "SamlProvider",
  "Site",
  "SiteAdaptiveSchema",
  "TeamMembers",
  "Translation",
].map((name) => `docs:index:${name}`);

it("takes over a stack of the dynamic host without a write, runs its guards, and creates it again", async () => {
  const inDynamicHost = program('new docs.Organization("acme", { file: "organization.yaml" });');
  const stack = await stackOf(inDynamicHost);
  const unprotected = edited(organization, "Guide\n", "Guide\n    protect: false\n");
  await declare(stack, unprotected);
  done(await stack.up());
  const ids = await idsIn(stack);
  takeWrites();

  await writeFile(path.join(stack.folder, "Pulumi.yaml"), pluginProject);
  await stack.write(fromFile);
  done(await stack.up(), /10 unchanged/);
  expect(await typesIn(stack)).toEqual(types);
  expect(await idsIn(stack)).toEqual(ids);
  const outputs = await stack.outputs();
  const { siteIds, publishedUrls, translationIds, samlProviderIds } = outputs;
  expect(outputs).toMatchObject({ samlAcsUrls: { okta: expect.stringContaining("http") }, siteHostnames: {} });
  expect(siteIds).toEqual({ guide: ids["acme-guide"], drafts: ids["acme-drafts"] });
  expect(publishedUrls).toEqual({ guide: expect.stringContaining("http") });
  expect([translationIds, samlProviderIds].map((ids) => Object.keys(Object(ids)))).toEqual([["guides-es"], ["okta"]]);

  const readers = edited(edited(unprotected, "test: admin", "test: read"), "bea: admin", "bea: read").replace(
    "femi@acme.test: member",
    "femi@acme.test: owner",
  );
  await declare(stack, edited(readers, /^guards.*\n/m));
  const title = /docs:index:Organization \(acme\):\n\s+warning: teams\.team_writers: the declared title is "Texts"/;
  refusedBy(
    await stack.up(),
    /members: the change would remove the last administrator \(ada@acme\.test, bea@acme\.test/,
    title,
  );
  expect(takeWrites()).toEqual([]);

  await declare(stack, unprotected);
  done(await stack.destroy());
  expect((await bench.client.getMember({ organizationId: "acme", userId: "user_bea" })).role).toBe("admin");
  await declare(stack, organization);
  done(await stack.up(), /\+ 10 created/);
  expect((await stack.resources()).find(({ urn }) => urn.endsWith("::acme-guide"))?.protect).toBe(true);
});
