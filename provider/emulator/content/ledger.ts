import type { Difference } from "../http/ledger";

/** Differences in change requests and their content. */

const notShown = "neither the API document nor the facts beyond it say it";
const older = "the row's schemas are those of 0.146; of the newer version only answers are emulated";

export const contentDifferences = {
  changeRequestOrder: {
    rows: ["listSpaceChangeRequests", "listOrganizationChangeRequests"],
    service: `orders by updatedAt in 0.202; of the older version ${notShown}`,
    emulator: "the latest created first",
    reason: "that order stays while change requests change, so no page of a list skips one",
  },
  newerChangeRequestFilters: {
    rows: ["listSpaceChangeRequests", "listOrganizationChangeRequests"],
    service: "0.202 also takes orderBy and topic, and for an organization several statuses, site, space and others",
    emulator: "refuses them with 400",
    reason: older,
  },
  newerChangeRequestLinks: {
    rows: ["updateChangeRequest"],
    service: "0.202 also takes links",
    emulator: "refuses them with 400",
    reason: older,
  },
  minimalChangeRequest: {
    rows: ["updateChangeRequest"],
    service: "0.202 answers 204 where the client sends Prefer: return=minimal",
    emulator: "answers the change request in any case",
    reason: "no client of this project asks for it",
  },
  createdSubject: {
    rows: ["createChangeRequest"],
    service: `has no limit for a subject at creation and 100 characters in answers; how it cuts, ${notShown}`,
    emulator: "keeps the first 100 characters; without a subject it is empty",
    reason: "an answer must fit its schema",
  },
  createdProperties: {
    rows: ["createChangeRequest"],
    service: "0.202 takes any property beside subject",
    emulator: "takes agentTaskId and template, which change nothing, and refuses others with 400",
    reason: "a slip in a name shall not stay unseen",
  },
  afterMerge: {
    rows: ["mergeChangeRequest", "pullIntoChangeRequest", "updateChangeRequest"],
    service: "takes a merge, an update and another status in any state; what they do to a merged one is not shown",
    emulator:
      "a second merge or an update starts from what the first merge brought into the space; 409 with the reading afterMerge: 409",
    reason: "the document shows no condition, and 409 is among the documented errors",
  },
  mergeRules: {
    rows: ["mergeChangeRequest"],
    service: "has rules for merging, such as reviews",
    emulator: "merges without asking",
    reason: "reviews are no part of the document",
  },
  conflicts: {
    rows: ["mergeChangeRequest", "pullIntoChangeRequest"],
    service: "merges inside documents, and leaves marks for the repair of conflicts",
    emulator: "takes whole pages, files and variables; after conflicts those of the change request",
    reason: "how documents are merged is not shown",
  },
  pdf: {
    rows: ["getChangeRequestPdf"],
    service: "makes a PDF",
    emulator: "an address below docs.example that names page and end of validity; 400 for a page that is not there",
    reason: "nobody shall be sent anywhere by a test; 404 is left to what the path names",
  },
  contentAddresses: {
    rows: ["getContent", "getContentFile", "listContentFiles", "getContentPage", "listChanges"],
    service: "app and download URLs and those of git are addresses of the service, or of a git host",
    emulator: "addresses below docs.example",
    reason: "nobody shall be sent anywhere by a test",
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
    reason: "types of blocks beside paragraph are not shown",
  },
  expressions: {
    rows: ["getContentPage", "getContentPageByPath"],
    service: "evaluates expressions, in a syntax that is not shown",
    emulator: "{{ space.vars.x }}, {{ page.vars.x }} and, without a value, {{ visitor.claims.x }}",
    reason: "the three values of evaluated shall make a difference",
  },
  linkSyntax: {
    rows: ["listPageLinks", "listPageBacklinks", "listFileBacklinks"],
    service: "keeps links as references, which hold when the page they name is moved",
    emulator:
      "reads them from the Markdown of pages, reusable contents and files: by path, which a move breaks, or by id",
    reason: "links must follow from the content",
  },
  linksWithinSpace: {
    rows: ["listPageLinks", "listPageBacklinks", "listFileBacklinks"],
    service: "follows links across spaces, and to users, collections and API specifications",
    emulator: "knows links within the change request, to spaces and to addresses; others have no targetReference",
    reason: "the shapes of the others are not shown",
  },
  linkContext: {
    rows: ["listPageLinks", "listPageBacklinks", "listFileBacklinks"],
    service: "shows a revision as versionContext; when it shows a change request is open",
    emulator:
      "the active revision of the change request, whole in each item; the change request with the reading linkContext: changeRequest",
    reason: "the revision is what the document shows, and the other one is small",
  },
  changeShapes: {
    rows: ["listChanges"],
    service: "has shapes for each change, of which page_created is shown",
    emulator:
      "objects as page_created has them; attributes of pages, files, reusable contents and variables as before and after",
    reason: "attributes and parent are all that is known of the others",
  },
  changesEnvelope: {
    rows: ["listChanges"],
    service: "may leave out more and mergedFrom",
    emulator: "always more, and mergedFrom once the change request is merged",
    reason: "when the service leaves them out is not shown",
  },
  goneInNewer: {
    rows: ["listFileBacklinks", "listPageLinks", "listPageBacklinks", "listSpaceChangeRequests"],
    service: "0.202 has no links, no backlinks and no filter for clusters; what it answers there is open",
    emulator: "404 for the operations, 400 for the filter",
    reason: "that is what it answers to other paths and parameters that are not there",
  },
  editing: {
    rows: ["getContent", "listChanges"],
    service: "is edited at its user interface, by git, and in 0.202 by an operation of its own",
    emulator: "is edited in code (editSpace, editChangeRequest), or by its seed",
    reason: "no operation of the document edits content",
  },
} as const satisfies Record<string, Difference>;
