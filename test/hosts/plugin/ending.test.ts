import { once } from "node:events";
import http2, { type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, it, onTestFinished, vi } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { Instance } from "../../../provider/hosts/plugin/instance";
import { listen } from "../../../provider/hosts/plugin/main";
import { toStruct } from "../../../provider/hosts/plugin/values";

/** A connection to this port, on which the test can send bytes of its own. */
async function tapped(port: number): Promise<{ readonly address: string; readonly socket: () => Socket }> {
  const sockets: Socket[] = [];
  const proxy = createServer((from) => {
    const to = connect(port, "127.0.0.1");
    sockets.push(to);
    from.pipe(to).pipe(from);
    for (const one of [from, to]) one.on("error", () => undefined);
  });
  onTestFinished(() => void proxy.close());
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  return { address: `127.0.0.1:${(proxy.address() as AddressInfo).port}`, socket: () => sockets[0] as Socket };
}

/** Calls `then` when a call of the next server ends: the connection has then ended, and is not closed yet. */
function atEndOfCalls(then: () => void): void {
  const { createServer } = http2;
  vi.spyOn(http2, "createServer").mockImplementationOnce((...args: unknown[]) => {
    const server = Reflect.apply(createServer, http2, args);
    return server.on("stream", (stream: ServerHttp2Stream) => stream.once("close", then));
  });
}

/** Headers of HTTP/2 that belong to no stream: the server closes the connection. */
const brokenHeaders = Buffer.from([0, 0, 0, 1, 4, 0, 0, 0, 0]);

// The engine waits for 5 s, in which the other providers of its command are not told of the end.
it("ends at once if its connection ends at the same moment, with a call in flight", async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  emulator.fault({ row: "createSite", delay: 600_000 });
  const instance = new Instance({ version: "0.0.0", environment: {} });
  const { url: baseUrl, token, organizationId } = emulator;
  const properties = { baseUrl, token, organizationId };
  instance.configure({ properties, secrets: new Set(["token"]) }, { name: "default", urn: "", id: "" });
  const ended = new Promise<number>((resolve) => {
    atEndOfCalls(() => {
      const since = performance.now();
      void served.end().then(() => resolve(performance.now() - since));
    });
  });
  const served = await listen(instance);
  const { address, socket } = await tapped(served.port);
  const client = new ResourceProviderClient(address, credentials.createInsecure());
  onTestFinished(() => client.close());
  const request = new messages.CreateRequest()
    .setUrn("urn:pulumi:test::project::docs:index:Site::one")
    .setProperties(toStruct({ title: "One" }));
  client.create(request, () => undefined);
  await expect.poll(() => emulator.requests().createSite ?? 0, { interval: 5, timeout: 4_000 }).toBe(1);
  socket().write(brokenHeaders);
  expect(await ended).toBeLessThan(1_000);
});
