import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { afterEach, describe, expect, it } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { answerTo } from "../../../provider/hosts/plugin/grpc";
import { toStruct } from "../../../provider/hosts/plugin/values";
import { ownProcesses } from "../../support/engine-node";
import { LogOfEngine } from "../../support/plugin-provider";

const folder = path.resolve("plugin");
const MiB = 1 << 20;
let child: ChildProcessWithoutNullStreams | undefined;
let log: LogOfEngine | undefined;

afterEach(() => {
  child?.kill("SIGKILL");
  log?.stop();
});

async function start() {
  log = await LogOfEngine.start();
  const env = { ...process.env, ...ownProcesses };
  const started = spawn(path.join(folder, "pulumi-resource-docs"), [log.address], { env });
  child = started;
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    started[stream].on("data", (text) => {
      output[stream] += text;
    });
  }
  await new Promise((resolve, reject) => {
    started.stdout.once("data", resolve);
    started.once("exit", (status) => reject(new Error(`the plugin ended with ${status}: ${output.stderr}`)));
  });
  const client = new ResourceProviderClient(`127.0.0.1:${output.stdout.trim()}`, credentials.createInsecure());
  return { output, client, process: started };
}

const configuration = (baseUrl: string, token = "tok_1") =>
  new messages.ConfigureRequest().setArgs(toStruct({ baseUrl, token, organizationId: "acme" }, new Set(["token"])));
const endOf = (process: ChildProcessWithoutNullStreams) => new Promise((resolve) => process.once("exit", resolve));

describe("the process of the plugin", () => {
  it("is one file of at most 3 MB beside its scripts, and uses less than 100 MiB after its start", async () => {
    expect((await stat(path.join(folder, "provider.js"))).size).toBeLessThan(3_000_000);
    const { process, client } = await start();
    const status = await readFile(`/proc/${process.pid}/status`, "utf8").catch(() => "VmRSS: 0 kB");
    expect((Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) * 1024) / MiB).toBeLessThan(100);
    client.close();
  });

  it("prints its port and nothing else on stdout, and ends by itself after a signal", async () => {
    const { process, client, output } = await start();
    const info = await answerTo<{ getVersion(): string }>((done) => client.getPluginInfo(new Empty(), done as never));
    expect(info.getVersion()).toBe(require("../../../package.json").version);
    await answerTo((done) => client.configure(configuration("http://127.0.0.1:1"), done));
    const check = new messages.CheckRequest()
      .setUrn("urn:pulumi:test::project::docs:index:Site::a")
      .setNews(toStruct({ title: 5 }));
    const answer = await answerTo<messages.CheckResponse>((done) => client.check(check, done));
    expect(answer.getFailuresList()).toHaveLength(1);
    client.close();
    const ended = endOf(process);
    process.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output).toEqual({ stdout: expect.stringMatching(/^\d+\n$/), stderr: "" });
  });

  it("answers the calls in flight after SIGTERM, and sends nothing else", async () => {
    const emulator = await startEmulator();
    try {
      const { process, client, output } = await start();
      await answerTo((done) => client.configure(configuration(emulator.url, emulator.token), done));
      emulator.fault({ row: "createSite", delay: 500, times: 2 });
      const create = (title: string) => {
        const request = new messages.CreateRequest()
          .setUrn(`urn:pulumi:test::project::docs:index:Site::${title}`)
          .setProperties(toStruct({ title, published: true }));
        return answerTo<messages.CreateResponse>((done) => client.create(request, done));
      };
      const creating = Promise.allSettled(["First", "Second"].map(create));
      await expect.poll(() => emulator.requests().createSite ?? 0, { timeout: 20_000 }).toBe(2);
      const ended = endOf(process);
      process.kill("SIGTERM");
      // The requests in flight have made the sites, so the engine records them; their publication is not sent.
      for (const outcome of await creating) {
        expect(outcome).toMatchObject({
          status: "rejected",
          reason: { details: expect.stringContaining("cancelled") },
        });
        const { metadata } = (outcome as PromiseRejectedResult).reason as ServiceError;
        expect(String(metadata.get("grpc-status-details-bin")[0])).toContain("site_");
      }
      client.close();
      expect(await ended).toBe(0);
      expect(output).toEqual({ stdout: expect.stringMatching(/^\d+\n$/), stderr: "" });
      expect(emulator.requests()).toEqual({ listSites: 1, createSite: 2 });
    } finally {
      await emulator.close();
    }
  });
});
