import { createServer as createHttpServer, type IncomingMessage } from "node:http";
import { createServer, type ServerOptions } from "node:https";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import tls from "node:tls";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../../provider/api/client";
import { download } from "../../../provider/api/http/download";
import { isUnanswered, mayHaveHappened, mayHaveWrongAddress } from "../../../provider/api/http/errors";
import { expired, key, ofOtherHost, ownCertificate } from "../../support/tls";

beforeEach(() => {
  for (const name of ["HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"]) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
});

const site = { object: "site", id: "site_1", type: "basic", title: "Docs", visibility: "public", published: false };
const urls = { location: "https://docs.test/1", app: "https://docs.test/2" };
const created = JSON.stringify({ ...site, createdAt: "2026-01-01T00:00:00Z", siteSpaces: 0, features: [], urls });

/** Counts connections and requests of a server on a free loopback port. */
async function listening(server: Server) {
  const seen = { connections: 0, requests: 0, port: 0 };
  server.on("connection", () => seen.connections++).on("request", () => seen.requests++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

const service = (options: ServerOptions) =>
  listening(createServer({ key, ...options }, (_, response) => response.writeHead(201).end(created)));

/** What NODE_EXTRA_CA_CERTS does, which Node.js reads at its start only. */
function trust(ca: string): void {
  const real = tls.connect as (options: tls.ConnectionOptions) => tls.TLSSocket;
  const trusting = (options: tls.ConnectionOptions) => real({ ...options, ca });
  const spy = vi.spyOn(tls, "connect").mockImplementation(trusting as typeof tls.connect);
  onTestFinished(() => spy.mockRestore());
}

async function create(baseUrl: string, deadline = 5_000): Promise<unknown> {
  const client = createClient({ baseUrl, token: "secret", deadline });
  onTestFinished(() => client.close());
  return client.createSite({ organizationId: "acme", body: { title: "Docs" } }).catch((error: unknown) => error);
}

const asking = { cert: ownCertificate, requestCert: true };
const onlyTls11 = {
  cert: ownCertificate,
  minVersion: "TLSv1.1",
  maxVersion: "TLSv1.1",
  ciphers: "DEFAULT@SECLEVEL=0",
} as const;

test.each<[name: string, options: ServerOptions, isTrusted: boolean, message: RegExp]>([
  [
    "that is not trusted",
    { cert: ownCertificate },
    false,
    /self-signed certificate.*does not trust.*in NODE_EXTRA_CA_CERTS/,
  ],
  ["of another host", { cert: ofOtherHost }, true, /; the certificate is for another host name: check the base URL$/],
  ["that has expired", { cert: expired }, true, /; the certificate has expired: renew it at the server/],
  [
    "of a server that only has TLS 1.1",
    onlyTls11,
    true,
    /^[^\n]*; the server has no version of TLS that this client accepts/,
  ],
  ["that the client lacks (TLS 1.3)", asking, true, /client certificate, which is not supported$/],
  ["that the client lacks (TLS 1.2)", { ...asking, maxVersion: "TLSv1.2" }, true, /asks for a client certif/],
])("a certificate %s: one attempt, and nothing was sent", async (_, options, isTrusted, message) => {
  const seen = await service(options);
  if (isTrusted) trust(String(options.cert));
  const error = (await create(`https://127.0.0.1:${seen.port}`)) as Error;
  expect(error.message).toMatch(message);
  expect([mayHaveHappened(error), mayHaveWrongAddress(error), seen.connections, seen.requests]).toEqual([
    false,
    true,
    1,
    0,
  ]);
});

test("a server without TLS is named as such, and a trusted certificate is accepted", async () => {
  const { port } = await listening(createHttpServer());
  expect(await create(`https://127.0.0.1:${port}`)).toMatchObject({
    message: expect.stringMatching(/^[^\n]*; the server does not speak TLS at this port: check the base URL$/),
    unclear: false,
  });
  const seen = await service({ cert: ownCertificate });
  trust(ownCertificate);
  expect(await create(`https://127.0.0.1:${seen.port}`)).toMatchObject({ id: "site_1" });
});

/** A proxy that answers one status after the other, and with 200 connects to the port. */
async function proxied(port: number, ...statuses: number[]) {
  const headers: IncomingMessage["headers"][] = [];
  const proxy = createHttpServer().on("connect", (request: IncomingMessage, socket: Socket) => {
    headers.push(request.headers);
    const status = statuses[headers.length - 1] ?? 200;
    socket.on("error", () => undefined).write(`HTTP/1.1 ${status} Whatever\r\n\r\n`);
    if (status !== 200) return void socket.end();
    const onward = connect(port, "127.0.0.1").on("error", () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const seen = await listening(proxy);
  vi.stubEnv("HTTPS_PROXY", `http://ada:hush@127.0.0.1:${seen.port}`);
  return { headers, address: `http://127.0.0.1:${seen.port}` };
}

test("a proxy gets user and password, and is asked again if it does not reach the service", async () => {
  const seen = await service({ cert: ownCertificate });
  trust(ownCertificate);
  const { headers } = await proxied(seen.port, 503);
  expect(await create("https://docs.test")).toMatchObject({ id: "site_1" });
  const sent = `Basic ${Buffer.from("ada:hush").toString("base64")}`;
  expect(headers.map((one) => one["proxy-authorization"])).toEqual([sent, sent]);
});

test.each([
  [407, " asks for a user and a password (407); set them in the variable, as in http://USER:PASSWORD@HOST:PORT"],
  [
    403,
    " does not connect to docs.test:443 (it answered 403); check the proxy, or name docs.test in NO_PROXY if it needs none",
  ],
])("a proxy that answers %i is named, and is not asked again", async (status, message) => {
  const { headers, address } = await proxied(0, status, status);
  const error = (await create("https://docs.test")) as Error;
  const attempted = "could not create a site in organization acme";
  expect(error.message).toBe(`${attempted}: the proxy ${address} (HTTPS_PROXY)${message}`);
  expect([mayHaveHappened(error), isUnanswered(error), mayHaveWrongAddress(error)]).toEqual([false, true, false]);
  expect(headers).toHaveLength(1);
});

test("a proxy that is down is named by its own address, for requests and downloads", async () => {
  vi.stubEnv("https_proxy", "http://127.0.0.1:1");
  const named =
    /the proxy http:\/\/127\.0\.0\.1:1 \(https_proxy\) cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\); check the proxy, or name docs\.test in NO_PROXY if it needs none/;
  const begun = Date.now();
  expect(await create("https://docs.test")).toMatchObject({ message: expect.stringMatching(named), unclear: false });
  expect(Date.now() - begun).toBeLessThan(2_000);
  await expect(download({ url: "https://docs.test/1.pdf", attempted: "get a PDF" })).rejects.toThrow(named);
});

test("neither a request nor the end of the client waits for a proxy that never answers", async () => {
  const { port } = await listening(createTcpServer((socket) => void socket.on("error", () => undefined)));
  vi.stubEnv("HTTPS_PROXY", `http://127.0.0.1:${port}`);
  const client = createClient({ baseUrl: "https://docs.test", token: "secret", deadline: 1_000 });
  // Whichever limit ends first: that of the operation, or that of the tunnel.
  await expect(client.listSites({ organizationId: "acme" }).all()).rejects.toThrow(/cannot be reached|no answer from/);
  await client.close();
});

test("a certificate behind a proxy is the service's, and NO_PROXY means no proxy", async () => {
  const seen = await service({ cert: ownCertificate });
  const { headers } = await proxied(seen.port);
  const untrusted = { message: expect.stringMatching(/no answer from https:\/\/docs\.test .*NODE_EXTRA_CA_CERTS$/) };
  expect(await create("https://docs.test")).toMatchObject(untrusted);
  vi.stubEnv("NO_PROXY", "docs.test");
  const direct = { message: expect.stringMatching(/no answer from https:\/\/docs\.test /) };
  expect(await create("https://docs.test", 300)).toMatchObject(direct);
  expect(headers).toHaveLength(1);
});

test("a text that is no address of a proxy is refused, and not shown", async () => {
  vi.stubEnv("HTTPS_PROXY", "ada:hush@proxy.acme.test");
  const message = 'HTTPS_PROXY is not the address of a proxy; use one such as "http://proxy.acme.test:3128"';
  expect(await create("https://docs.test")).toMatchObject({ message });
});
