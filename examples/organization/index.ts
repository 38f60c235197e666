import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as docs from "pulumi-docs-org";

/** An organization with one resource of each kind: sites and what belongs to them, translations, access, sign-in. */

const handbook = new docs.Site("handbook", {
  title: "Company handbook",
  visibility: "visitor-auth",
  spaces: ["guides", "reference"],
  adaptiveContent: { enabled: true },
  published: true,
});

new docs.Site("developers", {
  title: "Developer documentation",
  visibility: "public",
  basename: "developers",
  proxy: "www.acme.test/docs",
  published: true,
});

new docs.Site("drafts", {
  title: "Drafts",
  visibility: "unlisted",
  published: false,
});

new docs.SiteAdaptiveSchema("handbook", {
  siteId: handbook.id,
  claims: {
    employee: { type: "boolean", description: "Whether the visitor works here." },
    office: { type: "string", enum: ["Berlin", "Lima"], description: "Where the visitor works." },
  },
});

// What stands in the handbook is known once it is published: a lookup reads it, and the spaces are sorted by title, from Z to A.
const profile = docs.getPublishedSiteOutput({ siteId: handbook.id }, { dependsOn: handbook });
new docs.SiteStructureOrder("handbook", {
  siteId: handbook.id,
  order: profile.structure.apply(({ structure }) =>
    [...structure].sort((a, b) => b.title.localeCompare(a.title)).map(({ id }) => id),
  ),
});

new docs.Translation("guides-es", {
  source: { space: "guides", language: "en" },
  language: "es",
  instructions: "Keep the names of products.\nAddress the reader informally.",
});

new docs.SamlProvider("okta", {
  label: "Okta",
  entityID: "https://acme.okta.test",
  ssoURL: "https://acme.okta.test/sso",
  certificate: readFileSync(join(__dirname, "okta.pem"), "utf8"),
  defaultRole: "read",
  defaultTeam: "team_support",
});

// Everybody in one team. The creation stops if the team has people who are not declared here; later, an up removes such people.
new docs.TeamMembers("writers", {
  teamId: "team_writers",
  members: { "cem@acme.test": "owner", "dana@acme.test": "member", "femi@acme.test": "member" },
  ignore: ["*@contractor.test"],
  onRelease: "leave",
});

// One person in a team whose other people are managed elsewhere.
new docs.TeamMembership("jun-in-support", { teamId: "team_support", user: "jun@acme.test", role: "member" });

new docs.MemberRole("hugo", { user: "hugo@acme.test", role: "review" });

new docs.MemberRoles("editors", {
  roles: { "femi@acme.test": "edit", "gita@acme.test": "edit", "ines@acme.test": "edit" },
});

export const handbookUrl = handbook.urls.apply((urls) => urls.published);
