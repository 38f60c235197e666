import type { SeedChangeRequest, SeedPage } from "../spaces/seed";
import type { SeedSpace } from "./organization";

/** Content of the built-in organization: every kind of page, valid links and a broken one, change requests. */

const guidesPages: SeedPage[] = [
  {
    id: "welcome",
    title: "Welcome",
    description: "Where to start.",
    emoji: "1f44b",
    cover: { ref: { kind: "file", file: "file_logo" } },
    markdown: [
      "# Welcome\n\nStart here. {{ space.vars.product }} is at version {{ space.vars.version }}.",
      "## First steps\n\nCreate an account, then invite your team. Read about [deployment](deployment) next.",
      '![Logo](file:file_logo)\n\n{% include "reusable_support" %}\n',
    ].join("\n\n"),
  },
  {
    id: "deployment",
    title: "Deployment",
    markdown: "How releases reach customers. Every one has its [notes](deployment/release-notes).\n",
    pages: [
      {
        id: "rollback",
        title: "Rollback",
        variables: { owner: "Platform team" },
        markdown:
          "## When to roll back\n\nWithin an hour of a failed release. Ask the {{ page.vars.owner }}.\n\nBack to [deployment](../deployment), or to [the old checklist](checklist).\n",
      },
      { id: "release-notes", title: "Release notes", markdown: "Written for every release.\n" },
      {
        id: "status-page",
        title: "Status page",
        type: "link",
        target: { kind: "url", url: "https://status.acme.test/" },
      },
    ],
  },
  {
    id: "group-team",
    title: "Team",
    type: "group",
    pages: [
      { id: "on-call", title: "On call", markdown: "Who answers, and when.\n", hidden: true },
      { id: "how-we-write", title: "How we write", markdown: "Short sentences. [Style sheet](file:file_style)\n" },
    ],
  },
];

/** Created in this order: the third one is merged, so the first two are outdated. */
const guidesChangeRequests: SeedChangeRequest[] = [
  {
    id: "cr_rollback",
    subject: "Explain rollback in detail",
    description: "Rollback is what people ask about most.",
    status: "open",
    createdBy: "user_dana",
    contributors: ["user_cem"],
    requestedReviewers: ["user_eli"],
    comments: 2,
    conversationsIssuesCluster: "cluster_rollback",
    edits: [
      // The merged change request changes the same page, so pulling in or merging causes conflicts.
      { editPage: { page: "rollback", markdown: "## When to roll back\n\nAs soon as an alert says so.\n" } },
      {
        addPage: {
          page: { id: "alerts", title: "Alerts", markdown: "See [rollback](rollback).\n" },
          under: "deployment",
        },
      },
    ],
  },
  {
    id: "cr_glossary",
    subject: "Glossary",
    status: "draft",
    createdBy: "user_femi",
    edits: [{ addPage: { page: { id: "glossary", title: "Glossary", markdown: "Words and what we mean.\n" } } }],
  },
  {
    id: "cr_hour",
    subject: "Two hours are enough",
    status: "merged",
    createdBy: "user_cem",
    edits: [
      {
        editPage: {
          page: "rollback",
          markdown:
            "## When to roll back\n\nWithin two hours of a failed release.\n\nUse [the old checklist](checklist).\n",
        },
      },
      { setVariables: { version: 3 } },
    ],
  },
  {
    id: "cr_old_idea",
    subject: "Merge the team pages",
    status: "archived",
    createdBy: "user_hugo",
    edits: [{ deletePage: { page: "on-call" } }, { editPage: { page: "group-team", title: "People" } }],
  },
  {
    id: "cr_tidy",
    subject: "Tidy up",
    status: "open",
    createdBy: "user_ada",
    requestedReviewers: ["user_bea", "user_eli"],
    edits: [
      { movePage: { page: "release-notes", under: null, after: "welcome" } },
      { deleteFile: { file: "file_style" } },
    ],
  },
];

export const guides: SeedSpace = {
  id: "guides",
  title: "Guides",
  emoji: "1f4d6",
  gitSync: { repoName: "acme/guides" },
  variables: { product: "Acme", version: 2, beta: false },
  files: [
    { id: "file_logo", name: "logo.png", size: 2048, dimensions: { width: 128, height: 128 } },
    { id: "file_style", name: "style-sheet.pdf", size: 40960 },
  ],
  reusableContents: [
    { id: "reusable_support", title: "Support", markdown: "Write to [support](space:reference).\n" },
    { id: "reusable_prices", title: "Prices", computed: { type: "builtin:prices" } },
  ],
  pages: guidesPages,
  changeRequests: guidesChangeRequests,
};

export const reference: SeedSpace = {
  id: "reference",
  title: "API reference",
  emoji: "1f4d0",
  variables: { api: "v1" },
  files: [
    {
      id: "file_openapi",
      name: "openapi.json",
      size: 65536,
      markdown: "Each operation needs a token, see [Authentication](page:authentication).\n",
    },
  ],
  reusableContents: [{ id: "reusable_token", title: "Token", markdown: "Keep the token secret.\n" }],
  pages: [
    {
      id: "authentication",
      title: "Authentication",
      markdown:
        'Every request carries a token.\n\n## Rotating tokens\n\nTwice a year.\n\n{% include "reusable_token" %}\n\nThe [specification](file:file_openapi) has the rest.\n',
    },
    {
      id: "errors",
      title: "Errors",
      pages: [
        { id: "rate-limits", title: "Rate limits", markdown: "A client that gets 429 waits and tries again.\n" },
        {
          id: "operations",
          title: "Operations",
          type: "computed",
          computed: {
            type: "builtin:openapi",
            dependencies: { spec: { ref: { kind: "openapi", spec: "acme-api" } } },
            props: { doc: "operations" },
          },
        },
      ],
    },
    { id: "guides-link", title: "Guides", type: "link", target: { kind: "space", space: "guides" } },
    { id: "group-more", title: "More", type: "group", pages: [{ id: "changelog", title: "Changelog" }] },
  ],
  changeRequests: [
    {
      id: "cr_limits",
      subject: "Say how long to wait",
      status: "open",
      createdBy: "user_gita",
      edits: [
        { editPage: { page: "rate-limits", markdown: "A client that gets 429 waits as `Retry-After` says.\n" } },
        { setVariables: { api: null, major: 1 } },
      ],
    },
  ],
};
