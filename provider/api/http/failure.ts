import type { IncomingHttpHeaders } from "node:http";
import { cut, maskedOpening } from "../../text/masking";
import { valueAt } from "../../text/mistakes";
import { parseJson } from "./body";
import { notTheApi, tryAgain } from "./errors";

const longestMessage = 500;
/** Characters shown of a body that is not an error of the API. */
const longestOther = 200;

const untrusted =
  "; this machine does not trust the certificate: name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS";
export const certificateRequired = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";
const noClientCertificate = "; the server asks for a client certificate, which is not supported";
/** What older servers answer if the client has no certificate, or none of its ciphers suits them. */
const noClientCertificateOrCipher = `${noClientCertificate}, or accepts none of the ciphers of this client`;

/** Hints for TLS connections that did not come about. Trying again does not help. */
const handshakes: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: "; the certificate is for another host name: check the base URL",
  CERT_HAS_EXPIRED: "; the certificate has expired: renew it at the server, or set the time of this machine",
  CERT_NOT_YET_VALID: "; the certificate is not valid yet: set the time of this machine",
  [certificateRequired]: noClientCertificate,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: noClientCertificateOrCipher,
  // The same alert, as Node.js 24 and newer name it.
  "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE": noClientCertificateOrCipher,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: "; the server has no version of TLS that this client accepts (1.2 or 1.3)",
  ERR_SSL_WRONG_VERSION_NUMBER: "; the server does not speak TLS at this port: check the base URL",
};

/** No connection was made, so the request cannot have been applied. */
export const neverSent = new Set([
  ...Object.keys(handshakes),
  "PROXY_UNUSABLE",
  "PROXY_GATEWAY",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const hints: Readonly<Record<string, string>> = {
  ...handshakes,
  // Their messages say what to do.
  PROXY_UNUSABLE: "",
  PROXY_GATEWAY: "",
  ECONNREFUSED: "; nothing listens at this address: is the service running?",
  ENOTFOUND: "; there is no host of this name: check the base URL",
  UND_ERR_HEADERS_OVERFLOW: notTheApi,
  UND_ERR_RES_EXCEEDED_MAX_SIZE: notTheApi,
};
export const hintOf = (code: string): string => hints[code] ?? tryAgain.network;

/** The next attempt would fail in the same way; a retry is pointless. */
export const lastingCodes = new Set([
  ...Object.keys(handshakes),
  "PROXY_UNUSABLE",
  "UND_ERR_HEADERS_OVERFLOW",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
]);

/** Prepares a text of the service for a message: shortened, without control characters, and with tokens masked. */
export function safeExcerpt(text: string): string {
  const masked = maskedOpening(text);
  return cut(masked.replace(/\p{Cc}+/gu, " ").trim(), longestMessage);
}

/** Describes a compressed body: no request asks for one, but a gateway may compress every answer. */
export function compressionOf({ "content-encoding": encoding }: IncomingHttpHeaders): string | undefined {
  if (!encoding || encoding === "identity") return undefined;
  return `a body with Content-Encoding: ${safeExcerpt(encoding)}, which the client does not read`;
}

/** The message of an error of the API or of an event, or the beginning of any other body, such as a proxy's page. */
export function messageOf(text: string): string {
  const json = parseJson(text);
  const body = "value" in json ? json.value : undefined;
  const messages = [valueAt(body, ["error", "message"]), valueAt(body, ["message"])];
  const message = messages.find((one) => typeof one === "string");
  if (message !== undefined) return message;
  const plain = maskedOpening(text).replace(/<[^>]*>/g, " ");
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
  // OpenSSL ends its messages with a line break.
  const message = ((error as Partial<Error>).message ?? "").trim();
  const code = codeOf(error);
  if (!message) return String(code);
  return code === undefined || message.includes(code) ? message : `${message}, ${code}`;
}
