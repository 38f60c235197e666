import { guides, reference } from "./default-content";
import { defaultPeople } from "./default-people";
import type { Seed } from "./seed";

/** Seed of an emulator that is started without one: a small organization with objects of every kind. */
export function defaultSeed(organizationId = "acme"): Seed {
  return { organizations: { [organizationId]: { title: "Acme", spaces, sites, ...defaultPeople } } };
}

const spaces = [guides, reference];

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
