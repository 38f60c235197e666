import type { Seed } from "../../provider/emulator";

export type SeedSpace = NonNullable<Seed["organizations"][string]["spaces"]>[number];

/** Paths of the change requests of space `guides`, and of change request `cr_1`. */
export const listPath = "/v1/spaces/guides/change-requests";
export const requestPath = `${listPath}/cr_1`;

const pages: SeedSpace["pages"] = [
  {
    id: "home",
    title: "Home",
    markdown: "Go to [setup](setup) or [linux](setup/linux#apt), see ![logo](file:logo).\n",
  },
  {
    id: "setup",
    title: "Setup",
    markdown: "# Setup\n\nFor {{ space.vars.product }}.\n",
    pages: [
      {
        id: "linux",
        title: "Linux",
        markdown: 'Back to [home](/home), [up](../setup.md), [gone](gone).\n\n{% include "note" %}',
      },
      { id: "mac", title: "Mac", markdown: "`[no link](gone)` [web](https://acme.test/) [top](#top) [note](linux)" },
      { id: "web", title: "Web", type: "link", target: { kind: "file", file: "logo" } },
    ],
  },
  { id: "team", title: "Team", type: "group", pages: [{ id: "people", title: "People" }] },
];

/** Space `guides` with every kind of page, and change request `cr_1`, number 1, that has changed nothing yet. */
export function contentSeed(more: Partial<SeedSpace> = {}): Seed {
  const guides: SeedSpace = {
    id: "guides",
    title: "Guides",
    pages,
    files: [
      { id: "logo", name: "logo.png", size: 10 },
      { id: "paper", name: "paper.pdf" },
    ],
    reusableContents: [{ id: "note", title: "Note" }],
    variables: { product: "Docs", year: 2026, beta: true },
    changeRequests: [{ id: "cr_1", subject: "First" }],
    ...more,
  };
  return { organizations: { acme: { spaces: [guides, { id: "other", title: "Other" }] } } };
}
