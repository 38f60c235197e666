import type { SeedPeople } from "../members/seed";
import type { SeedPage } from "../spaces/edits";
import type { SeedChangeRequest, SeedSpace } from "../spaces/seed";
import type { Seed } from "./seed";

/** Content of the built-in organization: every kind of page, valid links and a broken one, change requests. */

const pages: SeedPage[] = [
  {
    id: "welcome",
    title: "Welcome",
    description: "Where to start.",
    markdown:
      '# Welcome\n\nStart here, then read about [deployment](deployment).\n\n![Logo](file:file_logo)\n\n{% include "reusable_support" %}\n',
  },
  {
    id: "deployment",
    title: "Deployment",
    markdown: "How releases reach customers. Every one has its [notes](deployment/release-notes).\n",
    pages: [
      {
        id: "rollback",
        title: "Rollback",
        markdown: "## When to roll back\n\nWithin an hour of a failed release. Use [the old checklist](checklist).\n",
      },
      { id: "release-notes", title: "Release notes", markdown: "Written for every release.\n" },
      { title: "Status page", type: "link", target: { kind: "url", url: "https://status.acme.test/" } },
    ],
  },
  {
    id: "group-team",
    title: "Team",
    type: "group",
    pages: [{ id: "on-call", title: "On call", markdown: "Who answers, and when.\n", hidden: true }],
  },
];

/** Created in this order: the third one is merged, so the first two are outdated. */
const changeRequests: SeedChangeRequest[] = [
  {
    id: "cr_rollback",
    subject: "Explain rollback in detail",
    status: "open",
    createdBy: "user_dana",
    requestedReviewers: ["user_eli"],
    comments: 2,
    // The merged change request changes the same page, so pulling in or merging causes conflicts.
    edits: [{ editPage: { page: "rollback", markdown: "## When to roll back\n\nAs soon as an alert says so.\n" } }],
  },
  {
    id: "cr_glossary",
    subject: "Glossary",
    createdBy: "user_femi",
    edits: [{ addPage: { page: { id: "glossary", title: "Glossary", markdown: "Words and what we mean.\n" } } }],
  },
  {
    id: "cr_hour",
    subject: "Two hours are enough",
    status: "merged",
    createdBy: "user_cem",
    edits: [{ editPage: { page: "rollback", markdown: "Within two hours. Use [the old checklist](checklist).\n" } }],
  },
  {
    id: "cr_tidy",
    subject: "Tidy up",
    status: "open",
    createdBy: "user_ada",
    edits: [{ deletePage: { page: "release-notes" } }, { setVariables: { version: 3 } }],
  },
];

const guides: SeedSpace = {
  id: "guides",
  title: "Guides",
  emoji: "1f4d6",
  variables: { product: "Acme", version: 2, beta: false },
  files: [{ id: "file_logo", name: "logo.png", size: 2048 }],
  reusableContents: [{ id: "reusable_support", title: "Support" }],
  pages,
  changeRequests,
};

const reference: SeedSpace = {
  id: "reference",
  title: "API reference",
  pages: [
    { title: "Authentication", markdown: "Every request carries a token.\n" },
    { id: "rate-limits", title: "Rate limits", markdown: "A client that gets 429 waits and tries again.\n" },
    { title: "Guides", type: "link", target: { kind: "space", space: "guides" } },
  ],
  changeRequests: [
    {
      id: "cr_limits",
      subject: "Say how long to wait",
      status: "open",
      createdBy: "user_gita",
      edits: [{ editPage: { page: "rate-limits", markdown: "A client that gets 429 waits as `Retry-After` says.\n" } }],
    },
  ],
};

const sites: Seed["organizations"][string]["sites"] = [
  {
    id: "site_handbook",
    title: "Handbook",
    visibility: "unlisted",
    basename: "handbook",
    spaces: [{ id: "sitespace_guides", space: "guides" }],
  },
  {
    id: "site_product",
    title: "Product docs",
    type: "ultimate",
    basename: "product",
    published: true,
    adaptiveContent: { enabled: true },
    adaptiveSchema: {
      type: "object",
      properties: {
        beta: { type: "boolean", description: "Takes part in the beta." },
        plan: { type: "string", description: "Plan of the customer.", enum: ["free", "business"] },
        unsigned: {
          type: "object",
          description: "Unsigned claims of the site visitor.",
          properties: { language: { type: "string", description: "Language that the visitor chose." } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    sections: [
      { id: "section_guides", title: "Guides", spaces: [{ id: "sitespace_product_guides", space: "guides" }] },
      {
        id: "group_developers",
        title: "Developers",
        sections: [
          {
            id: "section_reference",
            title: "API reference",
            condition: 'visitor.claims.plan == "business"',
            spaces: [{ id: "sitespace_product_reference", space: "reference" }],
          },
        ],
      },
    ],
  },
];

/** Of an invented identity provider; valid until November 2126. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBhzCCAS2gAwIBAgIUDMdRYHzODHusJPsy/izSWbf/8NowCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNaWRwLmFjbWUudGVzdDAgFw0yNjExMjYwNTQ0MjZaGA8yMTI2
MTEwMjA1NDQyNlowGDEWMBQGA1UEAwwNaWRwLmFjbWUudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABKaguKIN7ANNh313qD1emWShdj7Lx3VdBg4hGNjd3nfB
TEr64wuj2u23aSB354/g7qgdyLlieBByZ8G9yKFos8+jUzBRMB0GA1UdDgQWBBTJ
Cc0/q87XObNM8CVy3e+oYH14UzAfBgNVHSMEGDAWgBTJCc0/q87XObNM8CVy3e+o
YH14UzAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIDOqE9fkJQHa
cUxQkonR2gxwu7gXNw0znhOQjX8STXA8AiEAg7fLMJ1/rSOARwv+8PsTXVYE67h4
PrWcKftsBFFxD0E=
-----END CERTIFICATE-----
`;

/** People of the built-in organization: every role, a guest, a disabled member, single sign-on, three teams. */
const defaultPeople: SeedPeople = {
  members: [
    person(1, "user_ada", "Ada Abbott", "admin", { lastSeenAt: "2026-11-20T08:00:00Z" }),
    person(2, "user_bea", "Bea Berg", "admin", { sso: true, lastSeenAt: "2026-11-19T09:30:00Z" }),
    person(3, "user_cem", "Cem Costa", "create", { lastSeenAt: "2026-11-18T10:00:00Z" }),
    person(4, "user_dana", "Dana Diallo", "create"),
    person(5, "user_eli", "Eli Endo", "review", { lastSeenAt: "2026-10-01T10:00:00Z" }),
    person(6, "user_femi", "Femi Fischer", "edit", { lastSeenAt: "2026-11-20T07:45:00Z" }),
    person(7, "user_gita", "Gita Garcia", "edit", { spaces: { reference: "comment" } }),
    person(8, "user_hugo", "Hugo Haddad", "comment", { lastSeenAt: "2026-09-15T12:00:00Z" }),
    person(9, "user_ines", "Ines Ito", "read"),
    person(10, "user_jun", "Jun Jansen", "read", { lastSeenAt: "2026-11-02T16:20:00Z" }),
    person(11, "user_kofi", "Kofi Kaya", "read", { disabled: true }),
    person(12, "user_lena", "Lena Lang", null, { spaces: { guides: "comment" }, lastSeenAt: "2026-11-10T11:00:00Z" }),
  ],
  teams: [
    { id: "team_writers", title: "Writers", members: { user_cem: "owner", user_dana: "member", user_femi: "member" } },
    {
      id: "team_engineers",
      title: "Engineers",
      members: { user_bea: "owner", user_eli: "member", user_gita: "member", user_femi: "member" },
    },
    { id: "team_support", title: "Support", members: { user_hugo: "owner", user_ines: "member", user_lena: "member" } },
  ],
  saml: [
    {
      id: "saml_acme",
      label: "Acme sign-in",
      entityID: "https://idp.acme.test/metadata",
      ssoURL: "https://idp.acme.test/sso",
      certificate,
      defaultTeam: "team_support",
      defaultRole: "read",
    },
    // Without a certificate, the provider is pending.
    { id: "saml_partners", label: "Partners", entityID: "urn:partners", ssoURL: "https://idp.partners.test/sso" },
  ],
  translations: [
    {
      id: "translation_fr",
      source: { space: "guides" },
      language: "fr",
      instructions: "Address the reader formally.",
    },
    { id: "translation_de", source: { space: "guides" }, language: "de" },
    { id: "translation_ja", source: { space: "reference" }, language: "ja" },
  ],
};

/** Seed of an emulator that is started without one: a small organization with objects of every kind. */
export function defaultSeed(organizationId = "acme"): Seed {
  return {
    organizations: { [organizationId]: { title: "Acme", spaces: [guides, reference], sites, ...defaultPeople } },
  };
}

type Person = NonNullable<SeedPeople["members"]>[number];

/** A person who joined on this day of January 2026. */
function person(day: number, userId: string, displayName: string, role: Person["role"], more?: Partial<Person>) {
  const joinedAt = new Date(Date.UTC(2026, 0, day, 9)).toISOString();
  const email = `${userId.replace("user_", "")}@acme.test`;
  return { userId, displayName, role, email, joinedAt, ...more };
}
