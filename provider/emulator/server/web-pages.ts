import type { IncomingHttpHeaders } from "node:http";
import { isLoopback } from "../../api/http/base-url";
import { forbidden } from "../http/errors";

/**
 * Refuses requests of web pages. A page whose host resolves to 127.0.0.1 (DNS rebinding) sends its host name in `Host`, and
 * browsers add `Origin` to each cross-site request that could change something. The paths of `control.ts` therefore need no
 * token: only programs on this machine reach them, and they show counts and faults, no data.
 */
export function refuseWebPages({ host, origin }: IncomingHttpHeaders): void {
  if (!isLoopback(nameIn(`http://${host}`)))
    throw forbidden(
      `the Host header is ${said(host)}; the emulator answers to loopback names only, use localhost, 127.0.0.1 or [::1]`,
    );
  if (origin !== undefined && !isLoopback(nameIn(origin)))
    throw forbidden(
      `the Origin header is ${said(origin)}; the emulator serves no pages of other hosts, use a page of a loopback host or a program`,
    );
}

/** Host name in lower case; empty if the text is not an http(s) URL. */
function nameIn(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? hostname : "";
}

const said = (header: string | undefined) => (header === undefined ? "missing" : JSON.stringify(header.slice(0, 100)));
