import type { FastifyInstance, FastifyRequest } from "fastify";
import { endpoints, type RowName } from "../../api/endpoints";
import { methodOf, pathOf, placeholder } from "../../api/schema/endpoint";
import { answerTo, badRequest, methodNotAllowed, nothingAt } from "../http/errors";
import { addControl } from "./control";
import { refuseWebPages } from "./loopback";
import { addRow, type RowOptions } from "./rows";
import { send } from "./sending";

/** The service sets no limit for bodies that is known; a longer one is answered with 413, HTTP's own status for it. */
const bodyLimit = 1024 * 1024;
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** The HTTP side of the emulator: one route for each row of the table, and one body shape for all that is refused. */
export async function createServer(options: RowOptions): Promise<FastifyInstance> {
  // Loaded here, so that commands that start no emulator start without it.
  const { default: Fastify } = await import("fastify");
  const { service } = options;
  const app = Fastify({
    bodyLimit,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Ids may be long, and the path of a page is one segment.
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
  for (const name of Object.keys(endpoints) as RowName[])
    addRow(app, routePattern(pathOf(endpoints[name])), name, options);
  refuseOtherMethods(app);
  return app;
}

function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_, text, done) => {
    try {
      // Clients announce JSON also where they send nothing.
      const body: unknown = text === "" ? undefined : JSON.parse(String(text));
      const wrong = unsound(body);
      done(wrong === undefined ? null : badRequest(wrong), body);
    } catch (error) {
      done(badRequest(`the body is not JSON: ${(error as Error).message}`));
    }
  });
}

/** Deeper than any document is; what follows walks over values with recursion. */
const deepest = 200;

/** JSON that no answer could carry: too deep, or with halves of characters, which are no text. */
function unsound(value: unknown, depth = 0): string | undefined {
  if (depth > deepest) return `the body is nested more than ${deepest} levels deep`;
  if (typeof value === "string")
    return isText(value) ? undefined : "the body has half of a character (a lone surrogate)";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const wrong = unsound(inner, depth + 1) ?? unsound(name, depth);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const isText = (value: string): boolean => !/\p{Surrogate}/u.test(value);

/** Every path of the table answers other methods with 405 and the ones that it has. */
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
    // Before a body is read: what it says does not matter.
    const method = methods.filter((one) => !allowed.includes(one));
    app.route({ method, url, onRequest: async (request) => refuse(request), handler: refuse });
  }
}

const routePattern = (path: string) => path.replace(placeholder, ":$1");

const pathIn = (request: FastifyRequest) => request.url.split("?", 1)[0] as string;
