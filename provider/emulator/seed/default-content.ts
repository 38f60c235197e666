import type { SeedChangeRequest, SeedPage } from "../spaces/seed";
import type { SeedSpace } from "./organization";

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
    id: "cr_old_idea",
    subject: "No hours on call",
    status: "archived",
    createdBy: "user_hugo",
    edits: [{ deletePage: { page: "on-call" } }],
  },
  {
    id: "cr_tidy",
    subject: "Tidy up",
    status: "open",
    createdBy: "user_ada",
    edits: [{ deletePage: { page: "release-notes" } }, { setVariables: { version: 3 } }],
  },
];

export const guides: SeedSpace = {
  id: "guides",
  title: "Guides",
  emoji: "1f4d6",
  variables: { product: "Acme", version: 2, beta: false },
  files: [{ id: "file_logo", name: "logo.png", size: 2048 }],
  reusableContents: [{ id: "reusable_support", title: "Support" }],
  pages,
  changeRequests,
};

export const reference: SeedSpace = {
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
