import { quoted } from "../../text/mistakes";
import { DocsError } from "./errors";

/** Parses the base URL, to which every path is appended; throws a DocsError if it cannot be an address of the API. */
export function usableUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    // The text is not shown: it may be the token, set by mistake.
    throw new DocsError('the base URL is not an absolute URL; use one such as "https://api.docs.example"');
  }
  if (url.username || url.password || url.search || url.hash)
    throw new DocsError("the base URL has a user, a query or a fragment; use only scheme, host and path");
  if (/\/v1\/*$/.test(url.pathname))
    throw new DocsError(`the base URL ${quoted(text)} ends in /v1; remove /v1, because every path begins with it`);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new DocsError(
      `the base URL ${quoted(text)} would send the token in plain text; use https (http is for loopback hosts)`,
    );
  // Without a trailing slash: "//" at the start of a path would name another host. A URL without a path keeps "/" nevertheless.
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return url;
}

/** The address as `addressOf` writes it; `undefined` if it cannot be used: each request then refuses it. */
export function usableAddress(text: string): string | undefined {
  try {
    return addressOf(usableUrl(text));
  } catch (error) {
    if (error instanceof DocsError) return undefined;
    throw error;
  }
}

/** Two addresses of one service are equal texts. `URL` itself writes scheme and host in lower case, decodes the host and omits the default port. */
export function addressOf({ protocol, hostname, port, pathname }: URL): string {
  // "localhost" resolves to 127.0.0.1 or [::1]; other addresses of the loopback network are separate services.
  const host = ["localhost", "[::1]"].includes(hostname) ? "127.0.0.1" : hostname;
  return `${protocol}//${host}${port && `:${port}`}${pathname.replace(/\/$/, "")}`;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
