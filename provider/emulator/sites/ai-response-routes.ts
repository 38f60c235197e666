import type { Endpoints } from "../../api/endpoints";
import { textIn } from "../../api/groups/rich-text";
import type { EventOf } from "../../api/schema/endpoint";
import { badRequest } from "../http/errors";
import type { RouteCall, Routes } from "../http/route";
import { richTextOf } from "../spaces/rich-text";
import { newId } from "../store/ids";
import type { Version } from "../store/service";
import type { SiteRecord } from "./record";
import { siteOf } from "./routes";
import { type FoundPage, pagesWith, wordsIn } from "./search";
import { spacesIn } from "./structure";

type Row = Endpoints["streamAiResponse"];
type Call = RouteCall<Row>;

/** Answers a question with the pages that contain its longer words, without a language model. */
export const aiResponseRoutes = {
  streamAiResponse: (call) => {
    const site = siteOf(call);
    refuseUnknown(call, site);
    const spaces = spacesIn(site, call.organization);
    const words = wordsIn(questionIn(call.body)).filter((word) => word.length > shortWord);
    const pages = words.flatMap((word) => spaces.flatMap((space) => pagesWith([word], space)));
    return eventsFor(distinct(pages), site, call);
  },
} satisfies Partial<Routes>;

/** Words of up to this many characters are ignored, because every page contains them. */
const shortWord = 3;

async function* eventsFor(found: FoundPage[], site: SiteRecord, call: Call): AsyncGenerator<EventOf<Row>> {
  const messageId = newId("message");
  yield { type: "response_start", messageId };
  const lines =
    found.length > 0 ? found.map(({ page, path }) => `See "${page.title}" (${path}).`) : ["No page is about that."];
  for (const line of lines) {
    yield { type: "response_document", messageId, stepIndex: 0, operation: "insert", blocks: richTextOf(line).nodes };
  }
  const suggestions = found.map(({ page }) => `What else is in "${page.title}"?`);
  if (suggestions.length > 0) yield { type: "response_followup_suggestion", messageId, suggestions };
  const id = newId("response");
  // Only a completed response can be continued.
  site.responses.push(id);
  yield { type: "response_finish", messageId, ...finish(id, call.body.previousResponseId, call.service.version) };
}

function finish(id: string, previous: string | undefined, version: Version) {
  return version === "0.146" ? { responseId: id } : { responseId: id, response: { id, ...(previous && { previous }) } };
}

function refuseUnknown({ body }: Call, site: SiteRecord): void {
  const { previousResponseId: previous } = body;
  if (previous === undefined || site.responses.includes(previous)) return;
  throw badRequest(`previousResponseId: site "${site.id}" has no response "${previous}"`);
}

/** Text of the last input of the user. */
function questionIn({ input }: Call["body"]): string {
  const content = input.findLast(({ role }) => role === "user")?.content ?? "";
  return typeof content === "string" ? content : content.nodes.map(textIn).join(" ");
}

function distinct(found: readonly FoundPage[]): FoundPage[] {
  return [...new Map(found.map((one) => [one.page.id, one])).values()];
}
