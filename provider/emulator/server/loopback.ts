import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLoopback } from "../../api/http/base-url";
import { forbidden } from "../http/errors";

/**
 * Refuses what a web page can send. A page whose name resolves to 127.0.0.1 (DNS rebinding) has that name in `Host`, and
 * a browser adds `Origin` to each request of another site that could change something. The paths of `control.ts`
 * therefore need no token: only programs of this machine reach them, and they show counts and faults, no data.
 */
export function refuseWebPages(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ headers }: FastifyRequest) => {
    const { host, origin } = headers;
    if (!isLoopback(nameIn(`http://${host}`)))
      throw forbidden(
        `the Host header is ${said(host)}; the emulator answers to loopback names only, use localhost, 127.0.0.1 or [::1]`,
      );
    if (origin !== undefined && !isLoopback(nameIn(origin)))
      throw forbidden(
        `the Origin header is ${said(origin)}; the emulator serves no pages of other hosts, use a page of a loopback host or a program`,
      );
  });
}

/** Name of the host in lower case; empty for what is no address of a page. */
function nameIn(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? hostname : "";
}

const said = (header: string | undefined) => (header === undefined ? "missing" : JSON.stringify(header.slice(0, 100)));
