import { contentDifferences } from "./content/ledger";
import type { Difference } from "./http/ledger";
import { peopleDifferences } from "./members/ledger";

const notShown = "neither the API document nor other known facts show it";
const olderSchemas = "the row's schemas are those of 0.146; of the newer version only answers are emulated";

/** Every entry has a test of its own, which fails once the entry is no longer true. */
export const differences = {
  oneToken: {
    rows: ["*"],
    service: "has tokens of users, integrations and OAuth, with scopes and permissions, and answers 403",
    emulator: "one token may do everything in every organization, unless the option caller limits it",
    reason: "scopes and the permission for each operation are not shown",
  },
  unknownParameters: {
    rows: ["*"],
    service: `may ignore query parameters and properties that it does not know; ${notShown}`,
    emulator: "refuses them with 400",
    reason: "a typo in a name must not stay unnoticed",
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
    emulator: "answers 429 with Retry-After in whole seconds, if the option rate is set",
    reason: "a client must live with the usual way of limiting",
  },
  preferMinimal: {
    rows: ["sortSiteStructure"],
    service: "0.202 answers 204 if the client sends Prefer: return=minimal",
    emulator: "answers the item in any case",
    reason: "no client of this project requests it",
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
    reason: "clients that rely on the default must read further pages",
  },
  siteDefaults: {
    rows: ["createSite"],
    service: `chooses title and visibility if they are omitted; ${notShown}`,
    emulator: '"Untitled", public, not published; agents are included',
    reason: "the document has defaults for the type only",
  },
  unknownSpaces: {
    rows: ["createSite"],
    service: `refuses spaces that do not exist; ${notShown}`,
    emulator: "400 that lists them",
    reason: "404 is reserved for objects in the path",
  },
  takenBasename: {
    rows: ["updateSite"],
    service: `refuses a basename that another site has; ${notShown}`,
    emulator: "409, within an organization",
    reason: "409 is a documented error of the operation and has no other cause here",
  },
  defaultSiteSpaceElsewhere: {
    rows: ["updateSite"],
    service: "accepts the default of the default section; the answer to a site space of another section is not shown",
    emulator: "400",
    reason: "anything else would store a value that a read cannot show",
  },
  newerSettings: {
    rows: ["updateSite"],
    service: "0.202 also accepts defaultLevel and styleguide",
    emulator: "refuses them with 400",
    reason: olderSchemas,
  },
  features: {
    rows: ["getSite", "listSites", "createSite", "updateSite", "publishSite", "unpublishSite", "getPublishedSite"],
    service: "has about thirty features, some of them frozen",
    emulator: "has nine, none of them frozen; each belongs to a plan of our choice and all higher ones",
    reason: "the features of each plan are not shown",
  },
  madeUpAddresses: {
    rows: ["getSite", "getPublishedSite", "searchSite"],
    service: "app, published and preview URLs and the target of a proxy are addresses of the service",
    emulator: "addresses below docs.example; only urls.location can be reached",
    reason: "a test must not contact other hosts",
  },
  customizations: {
    rows: ["getPublishedSite"],
    service: "shows how each site and site space was customized",
    emulator: "the same customization for all, with the title of the site; no scripts",
    reason: "no operation of the document writes it",
  },
  draftsAndLinks: {
    rows: ["getPublishedSite", "sortSiteStructure"],
    service: "0.202 has drafts, and external links in the structure",
    emulator: "draft is always false, and there are no external links",
    reason: "no operation of the document creates them",
  },
  unpublishedProfile: {
    rows: ["getPublishedSite"],
    service: `the answer for a site that is not published is open; ${notShown}`,
    emulator: "404",
    reason: "there is no published content then",
  },
  checkout: {
    rows: ["publishSite"],
    service: "requires a payment depending on plan and billing",
    emulator: "requires a payment if the reading checkoutFor or needsUpgrade of the seed says so",
    reason: "the emulator has no billing",
  },
  templateConditions: {
    rows: ["getTemplateConditions"],
    service: "derives conditions from the adaptive schema by rules that are not shown",
    emulator: "one or more expressions for each claim that is not an object; none without a schema",
    reason: "the expressions are not shown",
  },
  searchOrder: {
    rows: ["searchSite"],
    service: "ranks results with an index, understands word forms, and 0.202 mixes in records",
    emulator: "pages that contain all words, matching titles first; one result per space; no records",
    reason: "tests need only the matching of words",
  },
  searchRestriction: {
    rows: ["searchSite"],
    service: "0.202 also accepts restrictTo",
    emulator: "refuses it with 400",
    reason: olderSchemas,
  },
  noModel: {
    rows: ["streamAiResponse"],
    service: "answers with a language model, which may call tools",
    emulator: "lists the pages that contain words of the question; ignores model, tools and toolCall",
    reason: "the answer must be the same in each run of a test",
  },
  newerAiRequests: {
    rows: ["streamAiResponse"],
    service: "0.202 also accepts session and channel",
    emulator: "refuses them with 400",
    reason: olderSchemas,
  },
  newerAiEvents: {
    rows: ["streamAiResponse"],
    service: "0.202 also sends response_step_start, response_attachment and response_compaction",
    emulator: "sends start, document, follow-up suggestion and finish in both versions",
    reason: olderSchemas,
  },
  ...peopleDifferences,
  ...contentDifferences,
} as const satisfies Record<string, Difference>;
