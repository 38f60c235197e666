import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";

/** What a page in a browser can send to a service of its machine, and what programs send. */

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const site = "/v1/orgs/acme/sites/site_handbook";
const fault = '{"row":"getSite","status":503}';

/** With node:http, because fetch sends no Host and no Origin of one's choice. */
function send(method: string, path: string, headers: Record<string, string>, body = "") {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const authorization = path.startsWith("/v1") ? { authorization: `Bearer ${emulator.token}` } : {};
    const sent = request(emulator.url + path, { method, headers: { ...authorization, ...headers } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode, text }));
    });
    sent.on("error", reject).end(body);
  });
}

const hosts = [
  "evil.example",
  "evil.example:80",
  "127.0.0.1.evil.example",
  "localhost.evil.example",
  "0.0.0.0",
  "[::2]",
];

it.each(hosts)("a request for the host %s is refused, whatever it asks for", async (host) => {
  for (const [method, path, body] of [
    ["GET", site],
    ["GET", "/_emulator/requests"],
    ["DELETE", "/_emulator/requests"],
    ["POST", "/_emulator/faults", fault],
    ["GET", "/nothing"],
  ] as const) {
    const { status, text } = await send(method, path, { host, "content-type": "application/json" }, body);
    const message = `the Host header is "${host}"; the emulator answers to loopback names only, use localhost, 127.0.0.1 or [::1]`;
    expect([status, JSON.parse(text)]).toEqual([403, { error: { code: 403, message } }]);
  }
});

it("a request without Host is refused", async () => {
  const { hostname, port } = new URL(emulator.url);
  const text = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once("data", (data) => resolve(data.toString())).write("GET /_emulator/requests HTTP/1.0\r\n\r\n");
  });
  expect(text).toMatch(/ 403 [\s\S]*Host header is missing;/);
});

const origins = [
  "https://evil.example",
  "http://127.0.0.1.evil.example",
  "null",
  "file://localhost",
  "x://localhost",
  "",
];

it.each(origins)("a page of %j reaches neither the API nor the paths of the emulator", async (origin) => {
  const before = emulator.requests();
  for (const [method, path, body] of [
    ["DELETE", site],
    ["OPTIONS", site],
    ["DELETE", "/_emulator/requests"],
    ["DELETE", "/_emulator/faults"],
    ["POST", "/_emulator/faults", fault],
  ] as const) {
    const { status, text } = await send(method, path, { origin, "content-type": "application/json" }, body);
    expect(status).toBe(403);
    expect(JSON.parse(text).error.message.replace(`"${origin}"`, "ORIGIN")).toHaveWording("a page of another host");
  }
  expect([emulator.requests(), emulator.pendingFaults()]).toEqual([before, []]);
});

it.each<Record<string, string>>([
  {},
  { host: "localhost" },
  { host: "LOCALHOST:4010" },
  { host: "127.1.2.3:99" },
  { host: "[::1]:4010" },
  { origin: "http://localhost:3000" },
  { origin: "https://127.0.0.1" },
  { origin: "http://[::1]:3000" },
])("a program or page of this machine is accepted with %j", async (headers) => {
  expect((await send("GET", site, headers)).status).toBe(200);
  expect((await send("GET", "/_emulator/requests", headers)).status).toBe(200);
  expect((await send("GET", "/_emulator/requests", headers)).text).toContain('"getSite"');
});
