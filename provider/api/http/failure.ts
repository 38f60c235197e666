import { cut, opening } from "../../text/masking";
import { parseJson } from "./body";
import { notTheApi, tryAgain } from "./errors";

const longestMessage = 500;
/** Characters shown of a body that is not an error of the API. */
const longestOther = 200;

/** No connection was made, so the request cannot have been applied. */
export const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** Hints for errors of the connection. */
const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: "; nothing listens at this address: is the service running?",
  ENOTFOUND: "; there is no host of this name: check the base URL",
  UND_ERR_HEADERS_OVERFLOW: notTheApi,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: notTheApi,
};
export const hintOf = (code: string): string => hints[code] ?? tryAgain.network;

/** An answer that exceeds a limit of the client would do so again; a retry is pointless. */
export const lasting = new Set(["UND_ERR_HEADERS_OVERFLOW", "UND_ERR_RES_EXCEEDED_MAX_SIZE"]);

/** Prepares a text of the service for a message: shortened, without control characters, and with tokens masked. */
export const shortened = (text: string): string =>
  cut(
    opening(text)
      .replace(/\p{Cc}+/gu, " ")
      .trim(),
    longestMessage,
  );

/** The message of an error of the API, or the beginning of any other body, such as a proxy's page. */
export function messageOf(text: string): string {
  const json = parseJson(text);
  const { error } = (("value" in json && json.value) || {}) as { error?: { message?: unknown } };
  if (typeof error?.message === "string") return error.message;
  const plain = opening(text).replace(/<[^>]*>/g, " ");
  return cut(plain.replace(/\s+/g, " ").trim(), longestOther);
}

/** The code of an error of the connection; `undefined` for any other error. */
export function codeOf(error: unknown): string | undefined {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === "string") return code;
  if (name === "TimeoutError") return "TIMEOUT";
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause === undefined ? undefined : codeOf(cause);
}

export function reasonOf(error: unknown): string {
  const { message } = error as Error;
  const code = codeOf(error);
  if (!message) return String(code);
  return code === undefined || message.includes(code) ? message : `${message}, ${code}`;
}
