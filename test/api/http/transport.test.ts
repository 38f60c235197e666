import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Client, createClient } from "../../../provider/api/client";
import { Ending } from "../../../provider/api/http/deadline";
import { ConnectionError, isNotFound, isUnauthorized, mayHaveHappened } from "../../../provider/api/http/errors";
import { eventsOf, WatchedStream } from "../../../provider/api/http/events";
import { type Answerer, json, serve } from "../../support/http-server";

const token = "tok_secret-of-the-test";
const site = {
  object: "site",
  id: "site_1",
  type: "basic",
  title: "Handbook",
  visibility: "public",
  published: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  siteSpaces: 0,
  features: [],
  urls: { location: "https://api.test/1", app: "https://app.test/1" },
};
const at = { organizationId: "org_1", siteId: "site_1" };

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

async function against(answer: Answerer, options: { deadline?: number; path?: string } = {}) {
  const server = await serve(answer);
  const client = createClient({
    baseUrl: server.url + (options.path ?? ""),
    token,
    deadline: options.deadline ?? 5_000,
  });
  closing.push(server.close, client.close);
  return { client, received: server.received, url: server.url };
}

async function failure(call: PromiseLike<unknown>): Promise<Error> {
  const outcome = await Promise.resolve(call).then(
    () => undefined,
    (error: Error) => error,
  );
  if (!outcome) throw new Error("the call did not fail");
  expect(`${outcome.message} ${outcome.stack} ${JSON.stringify(outcome)}`).not.toContain(token);
  return outcome;
}

describe("a request", () => {
  it("carries the token, has a path below the base URL, and encodes its parameters", async () => {
    const { client, received } = await against((response) => json(response, 200, { ...site, id: "a&b=é" }), {
      path: "/api/",
    });
    await client.getSite({ organizationId: "org:1", siteId: "a&b=é" });
    expect(received[0]).toMatchObject({ method: "GET", url: "/api/v1/orgs/org%3A1/sites/a%26b%3D%C3%A9" });
    expect(received[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it("stays at its host, however many slashes end the base URL", async () => {
    const other = await against((response) => json(response, 200, site));
    const slashes = `//${other.url.replace("http://", "")}//`;
    const { client, received } = await against((response) => json(response, 200, site), { path: slashes });
    await client.getSite(at);
    expect(received[0]?.url).toBe(`${slashes.replaceAll("//", "/").replace(/\/$/, "")}/v1/orgs/org_1/sites/site_1`);
    expect(other.received).toHaveLength(0);
  });

  // A gateway may decode the path before it passes the request on.
  it.each(["", ".", "..", "../teams", "a/b", "a?b", "a#b", "%2e%2e", "a b"])(
    "is not sent with %j in the path",
    async (siteId) => {
      const { client, received } = await against((response) => json(response, 200, site));
      expect((await failure(client.getSite({ organizationId: "org_1", siteId }))).message).toContain(
        `siteId is "${siteId}"`,
      );
      expect(received).toHaveLength(0);
    },
  );

  it("about an id with line breaks and colours is not sent, and the message stays one line", async () => {
    const { client, received } = await against((response) => json(response, 200, site));
    const error = await failure(client.getSite({ ...at, siteId: "x\ny\u001b[31m\u2028z" }));
    expect(error.message).toHaveWording("an id with line breaks and colours");
    expect(received).toHaveLength(0);
  });

  it("is not sent with an invalid body", async () => {
    const { client, received } = await against((response) => json(response, 200, site));
    const error = await failure(client.updateSite({ ...at, body: { title: "a" } }));
    expect(error.message).toHaveWording("an invalid body");
    expect(received).toHaveLength(0);
  });

  it.each([
    ["ftp://docs.test", /is not an absolute URL; use one such as/],
    ["docs.test", /is not an absolute URL; use one such as/],
    ["http://docs.test", /would send the token in plain text; use https/],
    ["https://user:pass@docs.test", /has a user, a query or a fragment/],
  ])("has no client for the address %s", (baseUrl, text) => {
    expect(() => createClient({ baseUrl, token })).toThrow(text);
  });

  it("has no client without a valid token", () => {
    expect(() => createClient({ baseUrl: "https://docs.test", token: "" })).toThrow(/the token is empty/);
    expect(() => createClient({ baseUrl: "https://docs.test", token: "a\nb" })).toThrow(/the token contains spaces/);
  });
});

describe("an answer", () => {
  it("is read tolerantly: more properties, unknown enum values, null for absent", async () => {
    const strange = { ...site, type: "galactic", moons: 2, hostname: null, urls: { ...site.urls, extra: 1 } };
    const { client } = await against((response) => json(response, 200, strange));
    expect(await client.getSite(at)).toEqual(strange);
  });

  it.each([
    [{ ...site, published: undefined }, /published: missing/],
    [[], /found \[\]; use an object/],
  ])("without a required property is an error", async (body, text) => {
    const { client } = await against((response) => json(response, 200, body));
    expect((await failure(client.getSite(at))).message).toMatch(text);
  });

  it("that is empty or not JSON is an error, and never 'gone'", async () => {
    const { client } = await against((response, _, nth) => response.end(nth === 1 ? "" : "<html>Login</html>"));
    const empty = await failure(client.getSite(at));
    expect(empty.message).toHaveWording("an empty answer");
    expect(isNotFound(empty)).toBe(false);
    expect((await failure(client.getSite(at))).message).toHaveWording("an answer that is not JSON");
  });

  it.each([200, 403])("%i that a gateway has compressed names the header", async (status) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const { client } = await against((response) =>
      response.writeHead(status, headers).end(gzipSync(JSON.stringify(site))),
    );
    const calls = [
      () => client.getSite(at),
      () =>
        client
          .streamAiResponse({ ...at, body: { input: [] } })
          [Symbol.asyncIterator]()
          .next(),
    ];
    for (const call of calls) {
      const { message } = await failure(call());
      expect(/a body with Content-Encoding[^";)]*/.exec(message)?.[0]).toHaveWording("a compressed answer");
      expect(message).not.toMatch(/\p{Cc}/u);
    }
  });

  it("with an error is described: what was attempted, what the service answered, what to do", async () => {
    const { client } = await against((response) =>
      json(response, 404, { error: { code: 404, message: "No such site" } }),
    );
    const error = await failure(client.getSite(at));
    expect(error.message).toHaveWording("an answer with an error");
    expect(isNotFound(error) && !isUnauthorized(error)).toBe(true);
  });

  it("with the token in it, or with a long or strange text, is shown safely", async () => {
    const message = `\u001b[31m${token} is wrong${"!".repeat(2000)}`;
    const { client } = await against((response) => json(response, 401, { error: { code: 401, message } }));
    const error = await failure(client.getSite(at));
    expect(error.message).toContain("[token] is wrong!!!");
    expect(error.message).not.toContain("\u001b");
    expect(error.message.length).toBeLessThan(700);
  });

  it("to a publication that is neither a site nor a checkout is an error", async () => {
    const { client } = await against((response) => json(response, 200, { object: "site" }));
    expect((await failure(client.publishSite(at))).message).toHaveWording("an unusable answer");
  });

  it.each([
    [205, true],
    [204, "unknown"],
    [202, "requested"],
  ])("of a DELETE with %i is returned as a fact", async (status, deleted) => {
    const { client } = await against((response) => response.writeHead(status).end());
    expect(await client.deleteSite(at)).toEqual({ deleted });
  });

  it("that redirects to another origin is not followed, so the token stays", async () => {
    const other = await against((response) => json(response, 200, site));
    const { client } = await against((response) => response.writeHead(302, { location: `${other.url}/v1` }).end());
    expect((await failure(client.getSite(at))).message).toHaveWording("a redirection to another origin");
    expect(other.received).toHaveLength(0);
  });

  it("gives the time of the service", async () => {
    const date = new Date("2031-05-01T10:00:00Z");
    const { client } = await against((response) => json(response, 200, site, { date: date.toUTCString() }));
    await client.getSite(at);
    expect(Math.abs(client.now().getTime() - date.getTime())).toBeLessThan(2_000);
  });
});

describe("a fault", () => {
  const reset: Answerer = (response) => response.socket?.destroy();
  const failing: Answerer = (response) => json(response, 503, { error: { code: 503, message: "Busy" } });

  it.each([
    ["a reset", reset],
    ["a 503", failing],
  ])("%s is repeated for reads and for writes that set a state", async (_, fault) => {
    const answer: Answerer = (response, received, nth) =>
      nth % 2 === 1 ? fault(response, received, nth) : json(response, 200, site);
    const { client, received } = await against(answer);
    await client.getSite(at);
    await client.updateSite({ ...at, body: { title: "Handbook" } });
    await client.publishSite(at);
    expect(received.map(({ method }) => method)).toEqual(["GET", "GET", "PATCH", "PATCH", "POST", "POST"]);
  });

  it.each([
    ["a reset", reset],
    ["a 503", failing],
  ])("%s of a creation is not repeated: the creation may have happened", async (_, fault) => {
    const { client, received } = await against(fault);
    const error = await failure(client.createSite({ organizationId: "org_1", body: { title: "Handbook" } }));
    expect(mayHaveHappened(error)).toBe(true);
    expect(received).toHaveLength(1);
  });

  it("before a connection exists is repeated even for a creation", async () => {
    const server = await serve(failing);
    await server.close();
    const client = createClient({ baseUrl: server.url, token, deadline: 1_500 });
    const error = await failure(client.createSite({ organizationId: "org_1" }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(mayHaveHappened(error)).toBe(false);
    expect(error.message).toMatch(/no answer from .*ECONNREFUSED/);
  });

  it("that lasts ends at the deadline, with the last cause", async () => {
    const { client } = await against(() => undefined, { deadline: 300 });
    const error = await failure(client.getSite(at));
    expect(error.message).toMatch(/within 0.3 s \(.*TIMEOUT/);
  });

  it("in the middle of a body is repeated", async () => {
    const cut: Answerer = (response) => {
      response.writeHead(200, { "content-length": "5000" }).write('{"object":');
      setTimeout(() => response.socket?.destroy(), 10);
    };
    const { client, received } = await against((response, one, nth) =>
      nth === 1 ? cut(response, one, nth) : json(response, 200, site),
    );
    expect((await client.getSite(at)).id).toBe("site_1");
    expect(received).toHaveLength(2);
  });
});

describe("a limit", () => {
  it("pauses for as long as the service asks, then goes on, also for a creation", async () => {
    const start = Date.now();
    const { client, received } = await against((response, _, nth) =>
      nth === 1
        ? json(response, 429, { error: { code: 429, message: "Slow down" } }, { "retry-after": "1" })
        : json(response, 201, site),
    );
    expect((await client.createSite({ organizationId: "org_1" })).id).toBe("site_1");
    expect(received).toHaveLength(2);
    expect(Date.now() - start).toBeGreaterThanOrEqual(950);
  });

  it("does not use up the deadline", async () => {
    const { client } = await against(
      (response, _, nth) => (nth === 1 ? json(response, 429, {}, { "retry-after": "1" }) : json(response, 200, site)),
      { deadline: 500 },
    );
    expect((await client.getSite(at)).id).toBe("site_1");
  });
});

describe("an abort", () => {
  it("stops a waiting call", async () => {
    const { client } = await against(() => undefined);
    const call = client.getSite(at, { signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toThrow(/aborted|timeout/i);
  });
});

describe("pages", () => {
  const page = (id: string, next?: unknown) => ({ items: [{ ...site, id }], ...(next !== undefined && { next }) });
  const listed = async (client: Client) =>
    (await client.listSites({ organizationId: "org_1" }).all()).map(({ id }) => id);

  it.each([[undefined], [null], [{}], [{ page: "" }]])("end if next is %j", async (last) => {
    const { client, received } = await against((response, _, nth) =>
      json(response, 200, nth === 1 ? page("a", { page: "p 2" }) : page("b", last)),
    );
    expect(await listed(client)).toEqual(["a", "b"]);
    expect(received.map(({ url }) => url)).toEqual(["/v1/orgs/org_1/sites", "/v1/orgs/org_1/sites?page=p+2"]);
  });

  it("that repeat are an error, not a loop", async () => {
    const { client, received } = await against((response) => json(response, 200, page("a", { page: "again" })));
    await expect(listed(client)).rejects.toHaveWording("a page that is repeated");
    expect(received).toHaveLength(2);
  });

  it("are read one at a time, and only when needed", async () => {
    const { client, received } = await against((response, _, nth) =>
      json(response, 200, page(`s${nth}`, { page: `p${nth}` })),
    );
    for await (const { id } of client.listSites({ organizationId: "org_1" })) if (id === "s2") break;
    expect(received).toHaveLength(2);
    expect((await client.listSites({ organizationId: "org_1", query: { limit: 5 } })).items).toHaveLength(1);
    expect(received[2]?.url).toBe("/v1/orgs/org_1/sites?limit=5");
  });
});

describe("a stream of events", () => {
  const ask = { ...at, body: { input: [{ role: "user" as const, content: "Where?" }] } };
  const stream =
    (text: string): Answerer =>
    (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      // In small pieces, as a network may deliver them.
      for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) response.write(piece);
      response.end();
    };
  const events = async (client: Client) => {
    const seen: unknown[] = [];
    for await (const event of client.streamAiResponse(ask)) seen.push(event);
    return seen;
  };
  const start = { type: "response_start", messageId: "m1" };
  const unknown = { type: "response_dance", messageId: "m1", steps: 3 };

  it("yields each event, including types of a newer service, and ends with the body", async () => {
    const text = `data: ${JSON.stringify(start)}\n\ndata: ${JSON.stringify(unknown)}\n\n`;
    const { client, received } = await against(stream(text));
    expect(await events(client)).toEqual([start, unknown]);
    expect(received[0]?.headers.accept).toBe("text/event-stream");
  });

  it.each(["event: done\ndata: {}\n\n", "event: done\n\n", "data: [DONE]\n\n"])("ends at %j", async (end) => {
    const { client } = await against(
      stream(`data: ${JSON.stringify(start)}\n\n${end}data: ${JSON.stringify(unknown)}\n\n`),
    );
    expect(await events(client)).toEqual([start]);
  });

  it.each(["\n", "\r\n"])(
    "ends at an event done without data in lines that end with %j, however it is cut",
    async (end) => {
      const text = ["data: 1", "", "event: done", "", "data: 2", "", ""].join(end);
      for (const size of [1, 20, 100]) {
        const chunks = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
        const body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
        const watched = new WatchedStream(body, new Ending(), { idle: 1000, mostBytes: 1000 });
        const seen: unknown[] = [];
        for await (const event of eventsOf(watched, "read", z.number())) seen.push(event);
        expect(seen).toEqual([1]);
      }
    },
  );

  it("throws the error of an event named error", async () => {
    const { client } = await against(stream('event: error\ndata: {"error":{"message":"Too long"}}\n\n'));
    await expect(events(client)).rejects.toHaveWording("an event with an error");
  });

  it("that is cut is an error", async () => {
    const { client } = await against((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(start)}\n\n`);
      setTimeout(() => response.socket?.destroy(), 20);
    });
    await expect(events(client)).rejects.toThrow(/the stream broke off/);
  });

  it("can be left early", async () => {
    const { client } = await against((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${JSON.stringify(start)}\n\n`);
    });
    for await (const event of client.streamAiResponse(ask)) {
      expect(event).toEqual(start);
      break;
    }
  });
});
