import * as docs from "pulumi-docs-org";

/** Docs sites of different kinds: for colleagues, for everybody, and one that is still being written. */

const handbook = new docs.Site("handbook", {
  title: "Handbook",
  visibility: "visitor-auth",
  spaces: ["guides"],
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

export const handbookUrl = handbook.urls.apply((urls) => urls.published);
