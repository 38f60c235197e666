import type { FastifyInstance, FastifyRequest } from "fastify";
import { endpoints, type RowName } from "../../api/endpoints";
import { isLoopback } from "../../api/http/base-url";
import { methodOf, pathOf, placeholder } from "../../api/schema/endpoint";
import { pdfAt } from "../change-requests/pdf";
import { answerTo, badRequest, forbidden, methodNotAllowed, nothingAt } from "../http/errors";
import { addControl } from "./control";
import { addRow, type RowOptions } from "./rows";
import { send } from "./sending";

/** Maximum bytes of a request's body; a longer one is answered with 413. The limit of the service is not known. */
const bodyLimit = 1024 * 1024;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Creates the HTTP server of the emulator: a route for each row of the table, and one body shape for all errors. */
export async function createServer(options: RowOptions): Promise<FastifyInstance> {
  // Imported here, because commands that start no emulator must not pay for loading it.
  const { default: Fastify } = await import("fastify");
  const { service } = options;
  const app = Fastify({
    bodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Ids may be long, and the path of a page is one parameter.
    routerOptions: { maxParamLength: 8192 },
    frameworkErrors: (error, _, reply) => void send(reply, answerTo(error), service),
  });
  app.setErrorHandler((error, _, reply) => send(reply, answerTo(error), service));
  app.setNotFoundHandler((request) => {
    throw nothingAt(request.method, pathIn(request));
  });
  refuseWebPages(app);
  readJson(app);
  addControl(app, options);
  // Without a token: the address is signed.
  app.get("/pdf/*", async ({ url }, reply) => reply.type("application/pdf").send(pdfAt(url, service)));
  for (const name of Object.keys(endpoints) as RowName[])
    addRow(app, routePattern(pathOf(endpoints[name])), name, options);
  refuseOtherMethods(app);
  return app;
}

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_, text, done) => {
    try {
      // Some clients send the content type of JSON with an empty body.
      const body: unknown = text === "" ? undefined : JSON.parse(String(text));
      const wrong = unsound(body);
      done(wrong === undefined ? null : badRequest(wrong), body);
    } catch (error) {
      done(badRequest(`the body is not JSON: ${(error as Error).message}`));
    }
  });
}

/** Maximum nesting of a body, deeper than any document: the emulator walks values recursively. */
const deepest = 200;

/** Describes why no answer could contain the value (nesting, lone surrogates); `undefined` if one can. */
function unsound(value: unknown, depth = 0): string | undefined {
  if (depth > deepest) return `the body is nested more than ${deepest} levels deep`;
  if (typeof value === "string") return isText(value) ? undefined : "the body contains half of a surrogate pair";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const wrong = unsound(inner, depth + 1) ?? unsound(name, depth);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const isText = (value: string): boolean => !/\p{Surrogate}/u.test(value);

/** Answers 405 with the allowed methods to other methods on paths of the table. */
function refuseOtherMethods(app: FastifyInstance): void {
  const paths = new Map<string, string[]>();
  for (const row of Object.values(endpoints)) {
    const path = routePattern(pathOf(row));
    paths.set(path, [...(paths.get(path) ?? []), methodOf(row)]);
  }
  for (const [url, allowed] of paths) {
    const refuse = (request: FastifyRequest) => {
      throw methodNotAllowed(request.method, pathIn(request), allowed);
    };
    // In onRequest, before the body is read: its content does not matter.
    const method = methods.filter((one) => !allowed.includes(one));
    app.route({ method, url, onRequest: async (request) => refuse(request), handler: refuse });
  }
}

const routePattern = (path: string) => path.replace(placeholder, ":$1");

const pathIn = (request: FastifyRequest) => request.url.split("?", 1)[0] as string;

/**
 * Refuses requests of web pages. A page whose host resolves to 127.0.0.1 (DNS rebinding) sends its host name in `Host`, and
 * browsers add `Origin` to each cross-site request that could change something. The paths of `control.ts` therefore need no
 * token: only programs on this machine reach them, and they show counts and faults, no data.
 */
function refuseWebPages(app: FastifyInstance): void {
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

/** Host name in lower case; empty if the text is not an http(s) URL. */
function nameIn(url: string): string {
  if (!URL.canParse(url)) return "";
  const { protocol, hostname } = new URL(url);
  return /^https?:$/.test(protocol) ? hostname : "";
}

const said = (header: string | undefined) => (header === undefined ? "missing" : JSON.stringify(header.slice(0, 100)));
