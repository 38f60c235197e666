import type { Difference } from "../http/ledger";

/** Differences between emulator and service in change requests and their content. */

const notShown = "neither the API document nor other known facts show it";
const olderSchemas = "the row's schemas are those of 0.146; of the newer version only answers are emulated";

export const contentDifferences = {
  changeRequestOrder: {
    rows: ["listSpaceChangeRequests", "listOrganizationChangeRequests"],
    service: `orders by updatedAt in 0.202; for the older version, ${notShown}`,
    emulator: "the most recently created first",
    reason: "this order is stable while change requests change, so no page of a list skips one",
  },
  newerChangeRequestFilters: {
    rows: ["listSpaceChangeRequests", "listOrganizationChangeRequests"],
    service: "0.202 also accepts orderBy and topic, and for an organization several statuses, site, space and others",
    emulator: "refuses them with 400",
    reason: olderSchemas,
  },
  newerChangeRequestLinks: {
    rows: ["updateChangeRequest"],
    service: "0.202 also accepts links",
    emulator: "refuses them with 400",
    reason: olderSchemas,
  },
  minimalChangeRequest: {
    rows: ["updateChangeRequest"],
    service: "0.202 answers 204 if the client sends Prefer: return=minimal",
    emulator: "answers the change request in any case",
    reason: "no client of this project requests it",
  },
  createdSubject: {
    rows: ["createChangeRequest"],
    service: `accepts subjects of any length at creation, but answers at most 100 characters; how it cuts, ${notShown}`,
    emulator: "keeps the first 100 characters; an omitted subject is empty",
    reason: "an answer must fit its schema",
  },
  createdProperties: {
    rows: ["createChangeRequest"],
    service: "accepts further properties beside subject, such as agentTaskId and template",
    emulator: "accepts and ignores them",
    reason: "their effect is not shown",
  },
  afterMerge: {
    rows: ["mergeChangeRequest", "pullIntoChangeRequest", "updateChangeRequest"],
    service: "allows a merge, an update and a new status in any state; their effect on a merged one is not shown",
    emulator:
      "a second merge or an update starts from the content that the first merge brought into the space; 409 with the reading afterMerge: 409",
    reason: "the document shows no condition, and 409 is a documented error",
  },
  mergeRules: {
    rows: ["mergeChangeRequest"],
    service: "has rules for merging, such as reviews",
    emulator: "merges without any condition",
    reason: "the document has no reviews",
  },
  conflicts: {
    rows: ["mergeChangeRequest", "pullIntoChangeRequest"],
    service: "merges inside documents, and marks conflicts for repair",
    emulator: "merges whole pages, files and variables; in conflicts, the change request wins",
    reason: "how documents are merged is not shown",
  },
  pdf: {
    rows: ["getChangeRequestPdf"],
    service: "makes a PDF",
    emulator:
      "an address of the emulator, signed and valid for an hour, of a PDF with the titles of the pages; 400 for a page that does not exist",
    reason: "how the service lays out pages is not shown; 404 is reserved for objects in the path",
  },
  contentAddresses: {
    rows: ["getContent", "getContentFile", "listContentFiles", "getContentPage", "listChanges"],
    service: "app and download URLs and those of git are addresses of the service, or of a git host",
    emulator: "addresses below docs.example",
    reason: "a test must not contact other hosts",
  },
  computedContent: {
    rows: ["getContent", "listContentPages", "getContentPage", "getContentPageByPath", "getReusableContent"],
    service: "computes pages from sources such as API specifications, and has revisions of type computed",
    emulator: "a computed page is one document page that names its source; no revisions of type computed or rollback",
    reason: "how content is computed is not shown",
  },
  richTextBlocks: {
    rows: ["getContentPage", "getContentPageByPath"],
    service: "has 29 types of blocks",
    emulator: "headings and paragraphs with texts and links; all other Markdown stays text",
    reason: "the other types of blocks are not shown",
  },
  expressions: {
    rows: ["getContentPage", "getContentPageByPath"],
    service: "evaluates expressions, in a syntax that is not shown",
    emulator: "evaluates {{ space.vars.x }}, {{ page.vars.x }} and, to an empty text, {{ visitor.claims.x }}",
    reason: "the three values of evaluated must differ in their effect",
  },
  linkSyntax: {
    rows: ["listPageLinks", "listPageBacklinks", "listFileBacklinks"],
    service: "keeps links as references, which stay valid when their page is moved",
    emulator:
      "reads links from the Markdown of pages, reusable contents and files: by path, which a move breaks, or by id",
    reason: "links must follow from the content",
  },
  linksWithinSpace: {
    rows: ["listPageLinks", "listPageBacklinks", "listFileBacklinks"],
    service: "follows links across spaces, and to users, collections and API specifications",
    emulator: "resolves links within the change request, to spaces and to URLs; others have no targetReference",
    reason: "the shapes of the others are not shown",
  },
  linkContext: {
    rows: ["listPageLinks", "listPageBacklinks", "listFileBacklinks"],
    service: "answers a revision as versionContext; when it answers a change request is not shown",
    emulator:
      "the complete active revision of the change request in each item; the change request with the reading linkContext: changeRequest",
    reason: "the document shows the revision; the change request is smaller",
  },
  changeShapes: {
    rows: ["listChanges"],
    service: "has a shape for each kind of change; only page_created is shown",
    emulator:
      "objects as in page_created; attributes of pages, files, reusable contents and variables with before and after",
    reason: "of the other kinds, only attributes and parent are known",
  },
  changesEnvelope: {
    rows: ["listChanges"],
    service: "may omit more and mergedFrom",
    emulator: "always more, and mergedFrom once the change request is merged",
    reason: "when the service omits them is not shown",
  },
  goneInNewer: {
    rows: ["listFileBacklinks", "listPageLinks", "listPageBacklinks", "listSpaceChangeRequests"],
    service: "0.202 has no links, no backlinks and no filter for clusters; its answer to them is not shown",
    emulator: "404 for the operations, 400 for the filter",
    reason: "it answers the same to other unknown paths and parameters",
  },
  editing: {
    rows: ["getContent", "listChanges"],
    service: "is edited in its user interface, by git, and in 0.202 by an operation",
    emulator: "is edited by code (editSpace, editChangeRequest) or by the seed",
    reason: "no operation of the document edits content",
  },
} as const satisfies Record<string, Difference>;
