import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Client } from "../../provider/api/client";
import { seedFromYaml } from "../../provider/emulator";
import type { ExistingComponent, ExistingResource } from "../../provider/hosts/import-list";
import { stateVersion } from "../../provider/lifecycle/state-versions";
import type { Properties } from "../../provider/run/properties";
import { certificateOne } from "../support/certificates";

/** A resource for something that the seed of this version holds (`v1.yaml`). Each kind of resource has at least one row. */
export interface Row extends ExistingResource {
  /** What the program declares: all that `importFile` finds, or what its `inputs` are completed to. */
  readonly declares: Properties;
  /** A change that the service accepts, also together with those of the other rows. The first row of each resource has one. */
  readonly change?: Properties;
  /** A new object, if the API can create more than one. */
  readonly fresh?: Fresh;
}

interface Fresh {
  readonly declares: Properties;
  /** Creates one that looks the same, as another process does. */
  create(client: Client, organizationId: string): PromiseLike<unknown>;
}

export const componentEntry: ExistingComponent = { component: "docs:index:Organization", name: "acme" };
const parent = componentEntry.name;

export const rows: readonly Row[] = [
  {
    resource: "Site",
    name: "product",
    id: "site_product",
    inputs: { title: "Product docs", type: "ultimate", published: true, allowReplace: false },
    declares: { title: "Product docs", type: "ultimate", published: true, allowReplace: false },
    parent,
    change: { title: "Renamed", published: false },
    fresh: {
      declares: { title: "Another", published: true },
      create: (client, organizationId) => client.createSite({ organizationId, body: { title: "Another" } }),
    },
  },
  {
    resource: "Site",
    name: "handbook",
    id: "site_handbook",
    inputs: { title: "Handbook", visibility: "unlisted", basename: "handbook", published: false },
    declares: { title: "Handbook", visibility: "unlisted", basename: "handbook", published: false },
  },
  {
    resource: "SiteAdaptiveSchema",
    name: "product",
    id: "site_product",
    inputs: { claims: {}, unsignedClaims: {} },
    declares: {
      siteId: "site_product",
      claims: { beta: { type: "boolean", description: "Takes part in the beta." } },
      unsignedClaims: { language: { type: "string", description: "Language that the visitor chose." } },
    },
    change: { claims: { plan: { type: "string", description: "Plan." } } },
  },
  {
    resource: "SiteStructureOrder",
    name: "product",
    id: "site_product",
    inputs: { order: ["section_guides", { id: "group_developers", order: ["section_reference"] }] },
    declares: {
      siteId: "site_product",
      order: ["section_guides", { id: "group_developers", order: ["section_reference"] }],
    },
    change: { order: [{ id: "group_developers", order: ["section_reference"] }, "section_guides"] },
  },
  {
    resource: "Translation",
    name: "french",
    id: "translation_fr",
    inputs: { instructions: "Address the reader formally.", rerun: 1 },
    declares: {
      source: { space: "guides", language: "en" },
      language: "fr",
      instructions: "Address the reader formally.",
      rerun: 1,
    },
    change: { instructions: "Be brief." },
    fresh: {
      declares: { source: { space: "guides", language: "en" }, language: "el" },
      create: (client, organizationId) =>
        client.createTranslation({
          organizationId,
          body: { source: { space: "guides", language: "en" }, language: "el" },
        }),
    },
  },
  {
    resource: "SamlProvider",
    name: "acme",
    id: "saml_acme",
    declares: {
      label: "Acme sign-in",
      entityID: "https://idp.acme.test/metadata",
      ssoURL: "https://idp.acme.test/sso",
      certificate: certificateOne,
      defaultTeam: "team_support",
      defaultRole: "read",
    },
    change: { label: "Renamed" },
    fresh: {
      declares: { label: "Another" },
      create: (client, organizationId) => client.createSamlProvider({ organizationId, body: { label: "Another" } }),
    },
  },
  {
    resource: "MemberRole",
    name: "femi",
    id: "user_femi",
    declares: { user: "user_femi", role: "edit" },
    change: { role: "comment" },
  },
  {
    resource: "MemberRole",
    name: "bea",
    id: "user_bea",
    inputs: { user: "Bea@Acme.test", sso: true, onRelease: "leave" },
    declares: { user: "Bea@Acme.test", role: "admin", sso: true, onRelease: "leave" },
  },
  {
    resource: "MemberRoles",
    name: "writers",
    id: "acme/roles",
    inputs: { roles: { "cem@acme.test": "create", user_dana: "guest" }, sso: [], onRelease: "restore" },
    declares: { roles: { "cem@acme.test": "create", user_dana: "guest" }, sso: [], onRelease: "restore" },
    change: { roles: { "cem@acme.test": "comment", user_dana: "read" } },
  },
  {
    resource: "TeamMembership",
    name: "cem",
    id: "team_writers/user_cem",
    declares: { teamId: "team_writers", user: "user_cem", role: "owner" },
    change: { role: "member" },
  },
  {
    resource: "TeamMembership",
    name: "dana",
    id: "team_writers/user_dana",
    inputs: { user: "dana@acme.test" },
    declares: { teamId: "team_writers", user: "dana@acme.test" },
    change: { role: "owner" },
  },
  {
    resource: "TeamMembers",
    name: "support",
    id: "team_support",
    declares: { teamId: "team_support", members: { "eli@acme.test": "owner", user_femi: "member" } },
    change: { members: { user_femi: "owner" } },
  },
];

export const programOfEverything = programOf(
  rows.map(({ resource, name, declares, parent }) => ({ resource, name, declares, parent })),
);

export interface StateDeclaration {
  readonly resource: string;
  readonly name: string;
  readonly declares: Properties;
  readonly parent?: string | undefined;
}

export function programOf(declarations: readonly StateDeclaration[]) {
  const lines = declarations.map(({ resource, name, declares, parent }) => {
    const options = parent === undefined ? "" : ", { parent: above }";
    return `new docs.${resource}(${JSON.stringify(name)}, ${JSON.stringify(declares)}${options});`;
  });
  const above = `const above = new pulumi.ComponentResource(${JSON.stringify(componentEntry.component)}, "${componentEntry.name}");`;
  const imports = ['import * as pulumi from "@pulumi/pulumi";', 'import * as docs from "pulumi-docs-org";'];
  return { text: [...imports, above, ...lines].join("\n") };
}

const existingOf = ({ declares: _, change: _change, fresh: _fresh, ...existing }: Row): ExistingResource => existing;

export const existing = [componentEntry, ...rows.map(existingOf)];

/** What the script of a user does: the file for `pulumi import --file`. */
export const script = [
  'import { writeFileSync } from "node:fs";',
  'import * as docs from "pulumi-docs-org";',
  `const existing = ${JSON.stringify(existing)} as any;`,
  'docs.importFile(existing).then((file) => writeFileSync("import.json", JSON.stringify(file)));',
].join("\n");

export const folder = __dirname;
export const latest = `v${stateVersion}`;
/** Released versions, whose states are files here, and this one. */
const released = readdirSync(folder).flatMap((name) => /^(v\d+)\.json$/.exec(name)?.[1] ?? []);
export const versions = [...new Set([...released, latest])];

/** What the service holds for the state of a version. */
export async function seedOfVersion(version: string) {
  const file = path.join(folder, `${version}.yaml`);
  return seedFromYaml(await readFile(file, "utf8"), file);
}
