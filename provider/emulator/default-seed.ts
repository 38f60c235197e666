import type { Seed } from "./seed";

/** A small organization for whoever starts the emulator without a seed: something of everything. */
export function defaultSeed(organizationId = "acme"): Seed {
  return { organizations: { [organizationId]: { title: "Acme", spaces, sites } } };
}

const spaces: Seed["organizations"][string]["spaces"] = [
  {
    id: "guides",
    title: "Guides",
    emoji: "1f4d6",
    pages: [
      {
        title: "Welcome",
        markdown: "# Welcome\n\nStart here.\n\n## First steps\n\nCreate an account, then invite your team.\n",
      },
      {
        title: "Deployment",
        markdown: "How releases reach customers.\n",
        pages: [
          { title: "Rollback", markdown: "## When to roll back\n\nWithin an hour of a failed release.\n" },
          { title: "Release notes", markdown: "Written for every release.\n" },
        ],
      },
    ],
  },
  {
    id: "reference",
    title: "API reference",
    emoji: "1f4d0",
    pages: [
      { title: "Authentication", markdown: "Every request carries a token.\n\n## Rotating tokens\n\nTwice a year.\n" },
      {
        title: "Errors",
        pages: [{ title: "Rate limits", markdown: "A client that gets 429 waits and tries again.\n" }],
      },
    ],
  },
];

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
