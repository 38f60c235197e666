import { DocsError } from "./errors";

/** The address of the API as every path is put behind it; refused where it can not be meant. */
export function usableUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol)) {
    // Not shown: what stands there by mistake may be the token.
    throw new DocsError('the base URL is not an absolute URL; use one such as "https://api.docs.example"');
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new DocsError("the base URL has a user, a query or a fragment; use only scheme, host and path");
  }
  if (/\/v1\/*$/.test(url.pathname))
    throw new DocsError(`the base URL "${text}" ends in /v1; leave that out, every path begins with it`);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new DocsError(
      `the base URL "${text}" would send the token in plain text; use https (http is for loopback hosts)`,
    );
  }
  // Without an end that a path would double: "//" would begin another host.
  url.pathname = url.pathname.replace(/\/{2,}/g, "/").replace(/\/$/, "");
  return url;
}

/** Scheme, host and path in one spelling, without a slash at the end. */
export const addressOf = (url: URL): string => url.origin + url.pathname.replace(/\/$/, "");

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
