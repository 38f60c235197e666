import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { parseJson } from "../../api/http/body";
import { badRequest, Refusal } from "../http/errors";

/** Maximum bytes of a request's body; a longer one is answered with 413. The limit of the service is not known. */
const mostBytes = 1024 * 1024;

export async function readJson(request: IncomingMessage): Promise<unknown> {
  if (request.method === "GET") return undefined;
  refuseOtherTypes(request);
  const text = await readText(request);
  // Some clients send the content type of JSON with an empty body.
  if (text === "") return undefined;
  const json = parseJson(text);
  if ("problem" in json) throw badRequest(`the body is ${json.problem}`);
  if (hasHalfPair(json.value)) throw badRequest("the body contains half of a surrogate pair");
  return json.value;
}

function refuseOtherTypes({ headers }: IncomingMessage): void {
  const { "content-type": type, "content-length": length = "0", "transfer-encoding": encoding } = headers;
  const hasBody = length !== "0" || encoding !== undefined;
  if (type === undefined && !hasBody) return;
  const mediaType = type?.split(";", 1)[0]?.trim().toLowerCase();
  if (mediaType === "application/json") return;
  throw new Refusal(415, `the media type is ${JSON.stringify(type ?? "")}; use "application/json"`);
}

async function readText(request: IncomingMessage): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) throw tooLarge();
  // A body without a length is read whole: to stop in the middle would end the connection before the answer.
  const bytes = await buffer(request).catch((error: Error) => {
    throw badRequest(`the body ended early: ${error.message}`);
  });
  if (bytes.length > mostBytes) throw tooLarge();
  return bytes.toString();
}

const tooLarge = () =>
  new Refusal(413, `the body has more than ${mostBytes} bytes; send less at once`, { connection: "close" });

/** Whether a name or a text in the value has half of a surrogate pair, which no answer could contain. */
function hasHalfPair(value: unknown): boolean {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value);
  return typeof value === "object" && value !== null && Object.entries(value).flat().some(hasHalfPair);
}
