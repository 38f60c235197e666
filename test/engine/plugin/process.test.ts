import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { afterEach, describe, expect, it } from "vitest";
import { sent } from "../../../provider/hosts/plugin/values";
import { answerTo, LogOfEngine } from "../../support/plugin-provider";

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
  const started = spawn(path.join(folder, "pulumi-resource-docs"), [log.address]);
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

describe("the process of the plugin", () => {
  it("is one file of at most 3 MB beside its scripts, and uses less than 100 MiB when it is ready", async () => {
    expect((await stat(path.join(folder, "index.js"))).size).toBeLessThan(3_000_000);
    const { process, client } = await start();
    const status = await readFile(`/proc/${process.pid}/status`, "utf8").catch(() => "VmRSS: 0 kB");
    expect((Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) * 1024) / MiB).toBeLessThan(100);
    client.close();
  });

  it("prints its port and nothing else on stdout, and ends by itself after a signal", async () => {
    const { process, client, output } = await start();
    const info = await answerTo<{ getVersion(): string }>((done) => client.getPluginInfo(new Empty(), done as never));
    expect(info.getVersion()).toBe(require("../../../package.json").version);
    const args = { baseUrl: "http://127.0.0.1:1", token: "tok_1", organizationId: "acme" };
    const configuration = new messages.ConfigureRequest().setArgs(sent(args, new Set(["token"])));
    await answerTo((done) => client.configure(configuration, done));
    const check = new messages.CheckRequest()
      .setUrn("urn:pulumi:test::project::docs:index:Site::a")
      .setNews(sent({ title: 5 }));
    const answer = await answerTo<messages.CheckResponse>((done) => client.check(check, done));
    expect(answer.getFailuresList()).toHaveLength(1);
    client.close();
    const ended = new Promise((resolve) => process.once("exit", resolve));
    process.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output).toEqual({ stdout: expect.stringMatching(/^\d+\n$/), stderr: "" });
  });
});
