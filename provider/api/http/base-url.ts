import { DocsError } from "./errors";

/** An address that no client can have: what is wrong with it, and then what to do. */
export class AddressError extends DocsError {
  override name = "AddressError";

  constructor(
    readonly problem: string,
    wayOut: string,
  ) {
    super(`${problem}; ${wayOut}`);
  }
}

/** The address of the API as every path is put behind it; refused where it can not be meant. */
export function usableUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    // Not shown: what stands there by mistake may be the token.
    throw new AddressError("the base URL is not an absolute URL", 'use one such as "https://api.docs.example"');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new AddressError("the base URL has a user, a query or a fragment", "use only scheme, host and path");
  }
  if (/\/v1\/*$/.test(url.pathname))
    throw new AddressError(`the base URL "${text}" ends in /v1`, "leave that out, every path begins with it");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new AddressError(
      `the base URL "${text}" would send the token in plain text`,
      "use https (http is for loopback hosts)",
    );
  }
  // Without an end that a path would double: "//" would begin another host.
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return url;
}

/**
 * Scheme, host and path in one spelling: two addresses of the same service are the same text. `URL` itself writes scheme and
 * host in lower case, decodes the host and leaves out the port that the scheme implies.
 */
export function addressOf(url: URL): string {
  // "localhost" is 127.0.0.1 or [::1], as the machine likes; other addresses of the loopback network are services of their own.
  const host = ["localhost", "[::1]"].includes(withoutDot(url.hostname)) ? "127.0.0.1" : withoutDot(url.hostname);
  const port = url.port && `:${url.port}`;
  return `${url.protocol}//${host}${port}${decoded(url.pathname).replace(/\/$/, "")}`;
}

/** With a dot at its end, a name is the same host. */
const withoutDot = (host: string): string => host.replace(/\.$/, "");

/** Only the characters that mean the same encoded and plain (RFC 3986, 6.2.2.2). */
function decoded(path: string): string {
  return path.replace(/%([0-9a-f]{2})/gi, (code, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : code.toUpperCase();
  });
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
