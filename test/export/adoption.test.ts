import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createClient } from "../../provider/api/client";
import { planAdoption, type RecordedResource } from "../../provider/export/adoption";
import { loadOrganization } from "../../provider/organization/file/loader";
import { connectBySettings } from "../../provider/run/context";
import { emulate, freshFolder } from "../support/docs-org";

const now = new Date("2026-11-26");

/** An organization with lagging lists that also has two sites "Guide", and the adoption of a file for it. */
async function service() {
  let time = Date.now();
  const emulator = await emulate({ readLag: { lists: 10_000 }, now: () => new Date(time) });
  const client = createClient({ baseUrl: emulator.url, token: emulator.token });
  const { organizationId } = emulator;
  const make = async (title: string) =>
    (await client.createSite({ organizationId, body: { title, visibility: "unlisted" } })).id;
  const guides = [await make("Guide"), await make("Guide")] as const;
  const passLag = () => {
    time += 10_000;
  };
  passLag();
  const remove = (siteId: string) => client.deleteSite({ organizationId, siteId });
  const adopt = async (text: string, state: readonly RecordedResource[] = []) => {
    const file = join(freshFolder(), "organization.yaml");
    writeFileSync(file, `organization: ${organizationId}\n${text}`);
    const context = await connectBySettings();
    return planAdoption(context, "acme", { ...loadOrganization(file, { now }), now }, state);
  };
  return { adopt, emulator, guides, make, passLag, remove };
}

const idsIn = ({ entries }: { readonly entries: readonly object[] }) =>
  entries.flatMap((one) => ("id" in one ? [one.id] : []));

it("finds objects by their id, and otherwise by what identifies them", async () => {
  const { adopt, guides } = await service();
  const plan = await adopt(`members: { ada@acme.test: admin }
teams:
  team_writers: { memberships: { Dana@acme.test: member, kofi@acme.test: member } }
  team_support: { members: { hugo@acme.test: owner } }
saml:
  okta: { label: Renamed, entityID: "urn:partners" }
  other: { label: Acme sign-in }
sites:
  moved: { title: Renamed, basename: handbook }
  named: { id: ${guides[0]}, title: Handbook }
  rest: { title: Guide }
  new: { title: New, order: [sitespace_guides] }
translations:
  de: { source: { space: guides, language: en }, language: de }
  es: { source: { space: guides, language: en }, language: es }
`);
  expect(idsIn(plan)).toEqual([
    "team_writers/Dana@acme.test",
    "team_support",
    "saml_partners",
    "saml_acme",
    "site_handbook",
    ...guides,
    "translation_de",
  ]);
  expect(plan).toMatchObject({
    imported: 8,
    recorded: 0,
    missing: [
      'teams["team_writers/kofi@acme.test"]: it is not live',
      "sites.new: no live site is like it",
      "translations.es: no live translation is like it",
    ],
  });
});

it("asks for the id of an unclear object, and takes over neither what the stack has nor what is declared as a second one", async () => {
  const { adopt, guides } = await service();
  const unclear = adopt(`sites:
  one: { title: Guide }
  a: { title: Handbook }
  b: { title: Handbook }
  wrong: { id: site_gone, title: Product docs }
`);
  await expect(unclear).rejects.toHaveWording("a take-over with unclear objects");

  const urn = (type: string, name: string) =>
    `urn:pulumi:main::acme::docs:index:Organization$docs:index:${type}::acme-${name}`;
  const state = [
    { urn: urn("Site", "one"), id: guides[0] },
    { urn: urn("Site", "old"), id: "site_handbook" },
    { urn: urn("MemberRoles", "members"), id: "acme/roles" },
  ];
  const plan = await adopt(
    `sites:
  one: { title: Guide }
  two: { title: Guide }
  new: { id: site_handbook, title: Handbook }
  second: { title: Product docs, allowDuplicate: true }
  gone: { id: site_gone, title: Gone }
`,
    state,
  );
  expect(idsIn(plan)).toEqual([guides[1]]);
  expect(plan).toMatchObject({
    recorded: 2,
    missing: [
      "sites.new: the stack manages site_handbook under another name",
      expect.stringMatching(
        /^sites\.second: allowDuplicate: true .* Product docs \(site_product\): public, published$/,
      ),
      "sites.gone: its id site_gone is not live",
    ],
  });
});

it("finds nothing that only the lists still show", async () => {
  const { adopt, guides, remove, passLag } = await service();
  for (const id of guides) await remove(id);
  // The adoption waits for the lists, which show the deletions after 100 ms.
  setTimeout(passLag, 100);
  expect(await adopt(`sites:\n  one: { title: Guide }\n  two: { id: ${guides[1]}, title: Other }\n`)).toMatchObject({
    imported: 0,
    missing: ["sites.one: no live site is like it", expect.stringMatching(/^sites\.two: its id .* is not live$/)],
  });
});

it("reads at most 100 of many objects one by one", async () => {
  const { adopt, emulator, make, passLag } = await service();
  const ids = await Promise.all(Array.from({ length: 150 }, (_, index) => make(`Many ${index}`)));
  passLag();
  emulator.resetRequests();
  const sites = ids.map((id, index) => `  many${index}: { id: ${id}, title: Many ${index} }`);
  expect(await adopt(["sites:", ...sites].join("\n"))).toMatchObject({ imported: 150, missing: [] });
  expect(emulator.requests()).toMatchObject({ getSite: 100, listSites: 2 });
});
