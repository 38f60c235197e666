import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopback } from "../../api/http/base-url";
import { pdfAt } from "../change-requests/routes";
import { errorAnswer, forbidden } from "../http/errors";
import { controlAnswers } from "./control";
import { findRow, type RowOptions, serveRow } from "./rows";
import { send } from "./sending";

/** Serves every row of the table on 127.0.0.1, with one body shape for all errors. */
export async function startServer(options: RowOptions, port: number) {
  const handle = requestHandler(options);
  // A client may keep an idle connection longer than the 5 s of Node.js.
  const server = createServer({ keepAliveTimeout: 72_000 }, (request, response) => {
    handle(request, response).catch((error) => send(response, errorAnswer(error), options.service));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function requestHandler(options: RowOptions) {
  const { service } = options;
  const answerControl = controlAnswers(options);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    refuseWebPages(request.headers);
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    if (path.startsWith("/_emulator")) return send(response, await answerControl(method, path, request), service);
    // Without a token: the address contains a secret.
    if (method === "GET" && path.startsWith("/pdf/")) return send(response, pdfAt(path, service), service);
    return serveRow(findRow(method, path), request, response, options);
  };
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

/**
 * Refuses requests of web pages. A page whose host resolves to 127.0.0.1 (DNS rebinding) sends its host name in `Host`, and
 * browsers add `Origin` to each cross-site request that could change something. The paths of `control.ts` therefore need no
 * token: only programs on this machine reach them, and they show counts and faults, no data.
 */
function refuseWebPages({ host, origin }: IncomingHttpHeaders): void {
  if (!isLoopback(nameIn(`http://${host}`)))
    throw forbidden(
      `the Host header is ${shownHeader(host)}; the emulator answers to loopback names only, use localhost, 127.0.0.1 or [::1]`,
    );
  if (origin !== undefined && !isLoopback(nameIn(origin)))
    throw forbidden(
      `the Origin header is ${shownHeader(origin)}; the emulator serves no pages of other hosts, use a page of a loopback host or a program`,
    );
}

/** Host name in lower case; empty if the text is not an http(s) URL. */
function nameIn(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? hostname : "";
}

const shownHeader = (header: string | undefined) =>
  header === undefined ? "missing" : JSON.stringify(header.slice(0, 100));
