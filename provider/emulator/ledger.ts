import { contentDifferences } from "./content/ledger";
import type { Difference } from "./http/ledger";
import { peopleDifferences } from "./members/ledger";

const notShown = "neither the API document nor the facts beyond it say it";
const ofTheOlder = "the row's schemas are those of 0.146; of the newer version only answers are emulated";

/** Each one is shown by a test of its own, so that a line that is not true any more fails. */
export const differences = {
  oneToken: {
    rows: ["*"],
    service: "has tokens of users, integrations and OAuth, with scopes and permissions, and answers 403",
    emulator: "one token may do everything in every organization",
    reason: "scopes and the permission for each operation are not shown",
  },
  unknownParameters: {
    rows: ["*"],
    service: `may ignore query parameters and properties that it does not know; ${notShown}`,
    emulator: "refuses them with 400",
    reason: "a slip in a name shall not stay unseen",
  },
  bodyLimit: {
    rows: ["*"],
    service: `has some limit for bodies; ${notShown}`,
    emulator: "answers more than 1 MiB with 413",
    reason: "413 is what HTTP has for it",
  },
  rateLimit: {
    rows: ["*"],
    service: "documents no 429",
    emulator: "answers 429 with Retry-After in whole seconds, where a rate was asked for",
    reason: "a client must live with the usual way of limiting",
  },
  preferMinimal: {
    rows: ["sortSiteStructure"],
    service: "0.202 answers 204 where the client sends Prefer: return=minimal",
    emulator: "answers the item in any case",
    reason: "no client of this project asks for it",
  },
  pageSize: {
    rows: [
      "listSites",
      "listSpaceChangeRequests",
      "listOrganizationChangeRequests",
      "listContentFiles",
      "listFileBacklinks",
      "listPageLinks",
      "listPageBacklinks",
      "searchSite",
      "listMembers",
      "listMemberSpaces",
      "listMemberTeams",
      "listTeamMembers",
      "listSamlProviders",
      "listTranslations",
    ],
    service: `has a default for limit; ${notShown}`,
    emulator: "100",
    reason: "clients that rely on the default shall page",
  },
  siteDefaults: {
    rows: ["createSite"],
    service: `chooses title and visibility where they are left out; ${notShown}`,
    emulator: '"Untitled", public, not published; agents are included',
    reason: "the document has defaults for the type only",
  },
  unknownSpaces: {
    rows: ["createSite"],
    service: `refuses spaces that are not there; ${notShown}`,
    emulator: "400 that names them",
    reason: "404 is left to what the path names",
  },
  takenBasename: {
    rows: ["updateSite"],
    service: `does not let two sites have one basename; ${notShown}`,
    emulator: "409, within an organization",
    reason: "409 is among the documented errors and fits nothing else here",
  },
  defaultSiteSpaceElsewhere: {
    rows: ["updateSite"],
    service: "takes the default of the default section; what it does with a site space of another section is not shown",
    emulator: "400",
    reason: "anything else would store what a read can not show",
  },
  newerSettings: {
    rows: ["updateSite"],
    service: "0.202 also takes defaultLevel and styleguide",
    emulator: "refuses them with 400",
    reason: ofTheOlder,
  },
  features: {
    rows: ["getSite", "listSites", "createSite", "updateSite", "publishSite", "unpublishSite", "getPublishedSite"],
    service: "has about thirty features, some of them frozen",
    emulator: "nine, none of them frozen, each from a plan of our choice on",
    reason: "which plan has which feature is not shown",
  },
  madeUpAddresses: {
    rows: ["getSite", "getPublishedSite", "searchSite"],
    service: "app, published and preview URLs and the target of a proxy are addresses of the service",
    emulator: "addresses below docs.example; only urls.location is an address that answers",
    reason: "nobody shall be sent anywhere by a test",
  },
  customizations: {
    rows: ["getPublishedSite"],
    service: "shows how each site and site space was customized",
    emulator: "the same plain look for all, with the title of the site; no scripts",
    reason: "no operation of the document writes it",
  },
  draftsAndLinks: {
    rows: ["getPublishedSite", "sortSiteStructure"],
    service: "0.202 has drafts, and external links in the structure",
    emulator: "draft is always false, and there are no external links",
    reason: "no operation of the document makes them",
  },
  unpublishedProfile: {
    rows: ["getPublishedSite"],
    service: `what it answers for a site that is not published is open; ${notShown}`,
    emulator: "404",
    reason: "there is no published content then",
  },
  checkout: {
    rows: ["publishSite"],
    service: "asks for a payment by plan and billing",
    emulator: "where the reading checkoutFor or needsUpgrade of the seed says so",
    reason: "there is no billing here",
  },
  templateConditions: {
    rows: ["getTemplateConditions"],
    service: "derives conditions from the adaptive schema in a way of its own",
    emulator: "one or more expressions for each claim that is no object; none while there is no schema",
    reason: "the expressions are not shown",
  },
  searchOrder: {
    rows: ["searchSite"],
    service: "ranks results with an index, understands word forms, and 0.202 mixes in records",
    emulator: "pages that contain all words, titles first; a space a result; no records",
    reason: "which words are found is what tests need",
  },
  searchRestriction: {
    rows: ["searchSite"],
    service: "0.202 also takes restrictTo",
    emulator: "refuses it with 400",
    reason: ofTheOlder,
  },
  noModel: {
    rows: ["streamAiResponse"],
    service: "asks a language model, which may call tools",
    emulator: "names the pages that have words of the question; model, tools and toolCall change nothing",
    reason: "an answer must be the same in each run of a test",
  },
  newerAiRequests: {
    rows: ["streamAiResponse"],
    service: "0.202 also takes roles beside user, session and channel",
    emulator: "refuses them with 400",
    reason: ofTheOlder,
  },
  newerAiEvents: {
    rows: ["streamAiResponse"],
    service: "0.202 also sends response_step_start, response_attachment and response_compaction",
    emulator: "sends start, document, follow-up suggestion and finish in both versions",
    reason: ofTheOlder,
  },
  ...peopleDifferences,
  ...contentDifferences,
} as const satisfies Record<string, Difference>;
