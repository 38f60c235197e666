import { request } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { endpoints, type RowName } from "../../../provider/api/endpoints";
import { manySites, sites, startEmulated } from "../support";

/** Every row, with the ids of its path: the organization, and "some" for others. */
const rows = Object.entries(endpoints).map(([name, { route }]) => {
  const [method, path] = route
    .replace("{organizationId}", "acme")
    .replace(/\{\w+\}/g, "some")
    .split(" ");
  return { name: name as RowName, method: method as string, path: path as string };
});

test("every row needs a known token", async () => {
  const { call, requests, token } = await startEmulated();
  for (const { name, method, path } of rows) {
    for (const authorization of ["", "Bearer wrong", token, `Basic ${token}`]) {
      const { status, headers, body } = await call(method, path, undefined, { authorization });
      expect([name, status, headers.get("www-authenticate")]).toEqual([name, 401, "Bearer"]);
      expect(body).toEqual({ error: { code: 401, message: expect.any(String) } });
    }
    expect(requests()[name]).toBe(4);
  }
});

test("a missing token is 401, and the scheme can have any case", async () => {
  const { url, call, token } = await startEmulated();
  expect((await fetch(url + sites)).status).toBe(401);
  expect((await call("GET", sites, undefined, { authorization: `bearer ${token}` })).status).toBe(200);
});

test("no row accepts another organization", async () => {
  const { call } = await startEmulated();
  for (const { name, method, path } of rows) {
    const { status, body } = await call(method, path.replace("acme", "other"), method === "GET" ? undefined : {});
    const error = { code: 404, message: expect.stringMatching(/^there is no /) };
    expect([name, status, body]).toEqual([name, 404, { error }]);
  }
});

/** Bodies of the rows that need one. */
const bodies: Partial<Record<RowName, object>> = {
  putSiteAdaptiveSchema: { jsonSchema: { type: "object", properties: {}, additionalProperties: false } },
  sortSiteStructure: { item: { type: "site-space", id: "some" }, position: {} },
  searchSite: { query: "word", mode: "all" },
  streamAiResponse: { input: [{ role: "user", content: "question" }] },
  updateTranslation: { instructions: { object: "document", data: {}, nodes: [] } },
};

test.each(rows.filter(({ path }) => path.includes("some")))(
  "$name of an object that does not exist is refused, except a removal",
  async ({ name, method, path }) => {
    const { call } = await startEmulated();
    const { status, body } = await call(method, path, method === "GET" ? undefined : (bodies[name] ?? {}));
    // The path of a team's member also names the team, which must exist.
    if (method === "DELETE" && !path.includes("/teams/")) return expect(status).toBe(204);
    expect([status, body]).toEqual([
      404,
      { error: { code: 404, message: expect.stringMatching(/^there is no .* "some"$/) } },
    ]);
  },
);

test("another method is 405 with the allowed ones", async () => {
  const { call } = await startEmulated();
  const { status, headers, body } = await call("PUT", sites, "{ not even JSON");
  expect([status, headers.get("allow")]).toEqual([405, "GET, POST"]);
  expect(body).toEqual({ error: { code: 405, message: expect.toHaveWording("another method") } });
  expect((await call("HEAD", sites)).status).toBe(405);
  expect((await call("OPTIONS", `${sites}/site_1`)).headers.get("allow")).toBe("GET, DELETE, PATCH");
});

test.each(["/", "/v1", "/v1/orgs/acme/nothing", "/v1/orgs/acme/sites/", "/_emulator/nothing", "/v2/orgs/acme/sites"])(
  "there is nothing at %s",
  async (path) => {
    const { call } = await startEmulated();
    const { status, body } = await call("GET", path);
    expect([status, body]).toEqual([404, { error: { code: 404, message: `there is nothing at GET ${path}` } }]);
  },
);

test("ids are decoded; a broken encoding is 400", async () => {
  const { call, url, token } = await startEmulated();
  expect((await call("GET", `${sites}/a%2Fb%20c`)).body.error.message).toBe('there is no site "a/b c"');
  const status = await new Promise((resolve) => {
    const options = { path: `${sites}/%zz`, headers: { authorization: `Bearer ${token}` } };
    request(url, options, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(400);
});

test.each([
  ["limit=abc", 'limit: found "abc"; use a number'],
  ["limit=-1", "limit: found -1; use 0 to 1000"],
  ["limit=1001", "limit: found 1001; use 0 to 1000"],
  ["limit=", 'limit: found ""; use a number'],
  ["limit=1&limit=2", 'limit: found ["1","2"]; use a number'],
  ["published=yes", 'published: found "yes"; use a boolean'],
  ["type=basik", expect.stringContaining('did you mean "basic"?')],
  ["tilte=x", 'tilte: there is no such property; did you mean "title"?'],
  ["constructor=x", expect.stringContaining("constructor: there is no such")],
])("the query %s is refused", async (query, message) => {
  const { call } = await startEmulated();
  const { status, body } = await call("GET", `${sites}?${query}`);
  expect(status).toBe(400);
  expect(body).toEqual({ error: { code: 400, message } });
});

test("a row without parameters refuses parameters, and a row without a body ignores a body", async () => {
  const { call } = await startEmulated({ seed: manySites(1) });
  expect((await call("GET", `${sites}/site_1?x=1`)).status).toBe(400);
  expect((await call("POST", `${sites}/site_1/publish`, { any: "thing" })).status).toBe(200);
});

test.each([
  ["{", "the body is not JSON"],
  ['{"title": undefined}', "the body is not JSON"],
  ["7", "found 7; use an object"],
  [`{"title":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "JSON with more than 200 levels"],
  ['{"basename":"\\ud800"}', "half of a surrogate pair"],
  ['{"\\ud800":1}', "half of a surrogate pair"],
])("the body %.30s is refused", async (text, message) => {
  const { call } = await startEmulated({ seed: manySites(1) });
  const { status, body } = await call("PATCH", `${sites}/site_1`, text);
  expect(status).toBe(400);
  expect(body).toEqual({ error: { code: 400, message: expect.stringContaining(message) } });
});

test("a missing body is refused if the row needs one", async () => {
  const { call } = await startEmulated({ seed: manySites(1) });
  const announced = { "content-type": "application/json" };
  for (const headers of [{}, announced]) {
    const { status, body } = await call("PATCH", `${sites}/site_1`, undefined, headers as Record<string, string>);
    expect([status, body.error.message]).toEqual([400, "missing; use an object"]);
  }
  expect((await call("POST", sites, undefined, announced)).status).toBe(201);
  // 205: it was deleted; 204 would not say whether it existed.
  expect((await call("DELETE", `${sites}/site_1`, undefined, announced)).status).toBe(205);
});

test("another media type is 415", async () => {
  const { call } = await startEmulated();
  const { status, body } = await call("POST", sites, "title=Docs", {
    "content-type": "application/x-www-form-urlencoded",
  });
  expect([status, body.error.code]).toEqual([415, 415]);
});

test("a body of more than 1 MiB is 413, a smaller one is accepted", async () => {
  const { call, url, token } = await startEmulated();
  const fits = JSON.stringify({ title: "x".repeat(1024 * 1024 - 20) });
  // Its size is accepted, and its title is too long.
  expect((await call("POST", sites, fits)).status).toBe(400);
  // The body is only announced: a client that still sends may miss the answer.
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const head = [
      "Host: localhost",
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Content-Length: 1048577",
    ];
    socket.write(`POST ${sites} HTTP/1.1\r\n${head.join("\r\n")}\r\n\r\n`);
    socket.once("data", (data) => resolve(data.toString())).once("error", reject);
    socket.once("data", () => socket.destroy());
  });
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
  expect(answer).toContain('{"error":{"code":413,"message":');
});

test("an answer that does not match its row is a 500 that names row and mistake, and nothing else", async () => {
  const { call, state } = await startEmulated({ seed: manySites(1) });
  const site = state.organizations.get("acme")?.sites.get("site_1");
  if (site) site.title = "x".repeat(200);
  const { status, body } = await call("GET", `${sites}/site_1`);
  expect(status).toBe(500);
  expect(body.error.code).toBe(500);
  expect(body.error.message).toHaveWording("an answer that does not match its row");
});
