import type { ServiceError } from "@grpc/grpc-js";
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { answerTo } from "../../../provider/hosts/plugin/grpc";
import { readStruct, toStruct } from "../../../provider/hosts/plugin/values";
import { failureOf } from "../../support/failure";
import { LogOfEngine, startPlugin } from "../../support/plugin-provider";

const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const urnOf = (type: string, name = "test") => `urn:pulumi:test::project::${type}::${name}`;
const site = urnOf("docs:index:Site");

let emulator: Emulator;
let log: LogOfEngine;
const opened: (() => Promise<void>)[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
  log = await LogOfEngine.start();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one();
});
afterAll(async () => {
  log.stop();
  await emulator.close();
});

async function started() {
  const { client, stop } = await startPlugin({ patience: 200 }, log);
  opened.push(stop);
  return client;
}

const settings = () => ({ baseUrl: emulator.url, token: emulator.token, organizationId: emulator.organizationId });
const configuration = (args = settings(), secrets = ["token"]) =>
  new messages.ConfigureRequest().setName("default_1_2_3").setArgs(toStruct(args, new Set(secrets)));

async function configured() {
  const client = await started();
  await answerTo((done) => client.configure(configuration(), done));
  return client;
}

const check = (client: ResourceProviderClient, news: Struct | undefined, urn = site) =>
  answerTo<messages.CheckResponse>((done) => client.check(new messages.CheckRequest().setUrn(urn).setNews(news), done));
const refusal = (call: Promise<unknown>) => failureOf(call) as Promise<Error> as Promise<ServiceError>;

/** A struct of one property whose value has no kind. */
function withoutKind(): Struct {
  const struct = new Struct();
  struct.getFieldsMap().set("title", new Value());
  return struct;
}

function nested(levels: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < levels; level++) value = { inner: value };
  return value;
}

// Codes of gRPC: 3 invalid argument, 5 not found, 6 already exists, 9 failed precondition, 12 unimplemented.

describe("values that the engine would not send", () => {
  it.each<[string, () => Struct]>([
    ["a value of no kind", withoutKind],
    ["a value that is nested too deep", () => toStruct({ title: nested(300) })],
    [
      "an asset",
      () => toStruct({ title: { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "x" } }),
    ],
    ["a mark of a later engine", () => toStruct({ title: { "4dabf18193072939515e22adb298388d": "0123456789abcdef" } })],
  ])("%s: are refused by name", async (title, news) => {
    const error = await refusal(check(await configured(), news()));
    expect([error.code, error.details]).toEqual([3, expect.toHaveWording(title)]);
  });

  it("that no schema allows are failures of their properties", async () => {
    const client = await configured();
    const answer = await check(client, toStruct({ title: 5, colour: "red", __proto__: { polluted: true } }));
    const failures = answer.getFailuresList().map((one) => `${one.getProperty()}: ${one.getReason()}`);
    expect(failures).toEqual(
      expect.arrayContaining([expect.stringMatching(/^title: found 5/), expect.stringMatching(/^colour: /)]),
    );
    const nothing = await check(client, undefined, urnOf("docs:index:MemberRole"));
    expect(nothing.getFailuresList().map((one) => one.getProperty())).toEqual(["user", "role"]);
  });

  it("keep unknown values and secrets apart from others, and `__proto__` changes no prototype", () => {
    const values = { title: unknownValue, number: 1.5, nothing: null, list: [true, { a: "b" }] };
    const struct = toStruct(values, new Set(["list"]));
    struct.getFieldsMap().set("__proto__", new Value().setStringValue("own"));
    const { properties, secrets } = readStruct(struct);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(properties).toEqual(values);
    expect([...secrets]).toEqual(["list"]);
  });

  it("of 5 MiB, more than gRPC accepts by itself, are answered with a failure of the property", async () => {
    const answer = await check(await configured(), toStruct({ title: "x".repeat(5 << 20) }));
    const [failure] = answer.getFailuresList();
    expect(failure?.getProperty()).toBe("title");
    expect(failure?.getReason().length).toBeLessThan(1_000);
  });
});

describe("calls that the engine would not make", () => {
  it.each([
    ["a URN that is none", "nonsense", 3, /"nonsense" is not the URN of a resource/],
    ["a type of another package", urnOf("aws:s3:Bucket"), 5, /"aws:s3:Bucket"; use one of/],
    ["a misspelt type", urnOf("docs:index:Sit"), 5, /"docs:index:Sit"; did you mean docs:index:Site\?/],
    ["a type like none", urnOf("docs:index:Folder"), 5, /"docs:index:Folder"; use one of docs:index:/],
    ["a component", urnOf("docs:index:Organization"), 3, /it is a component, .*: docs-org export --host plugin writes/],
  ])("of %s are refused", async (_, urn, code, words) => {
    const error = await refusal(check(await configured(), toStruct({ title: "Handbook" }), urn));
    expect([error.code, error.details]).toEqual([code, expect.stringMatching(words)]);
  });

  it.each([
    ["a long id", "x".repeat(20_000)],
    ["an id with a space", "site 1"],
    ["an id of nothing", "site_lost"],
  ])("of an import with %s are refused", async (title, id) => {
    const client = await configured();
    emulator.resetRequests();
    const error = await refusal(
      answerTo((done) => client.read(new messages.ReadRequest().setUrn(site).setId(id), done)),
    );
    expect(error.details).toHaveWording(title);
    if (id !== "site_lost") expect(emulator.log).toEqual([]);
  });

  it("before Configure are refused, and leave it usable", async () => {
    const client = await started();
    const error = await refusal(check(client, toStruct({ title: "Handbook" })));
    expect([error.code, error.details]).toEqual([9, expect.stringContaining("not configured yet")]);
    await answerTo((done) => client.configure(configuration(), done));
    expect((await check(client, toStruct({ title: "Handbook" }))).getFailuresList()).toEqual([]);
  });

  it("of a second Configure are refused", async () => {
    const client = await configured();
    const error = await refusal(answerTo((done) => client.configure(configuration(), done)));
    expect([error.code, error.details]).toEqual([6, "the provider is already configured"]);
  });

  it("of methods that it does not have are unimplemented", async () => {
    const client = await configured();
    const error = await refusal(
      answerTo((done) => client.call(new messages.CallRequest().setTok("docs:index:x"), done)),
    );
    expect(error.code).toBe(12);
  });

  it("of a token in plain text are refused without the token", async () => {
    const client = await started();
    const error = await refusal(answerTo((done) => client.configure(configuration(settings(), []), done)));
    expect(error.details).toHaveWording("a token in plain text");
    expect(error.details).not.toContain(emulator.token);
  });

  it("that wait for the limit of the service say so in the log of the engine, until Cancel ends the wait", async () => {
    const client = await configured();
    emulator.fault({ row: "createSite", status: 429, headers: { "retry-after": "60" } });
    const request = new messages.CreateRequest().setUrn(site).setProperties(toStruct({ title: "Limited" }));
    const failing = refusal(answerTo((done) => client.create(request, done)));
    await expect
      .poll(() => log.messages.splice(0), { timeout: 10_000 })
      .toEqual([{ urn: "", severity: LogSeverity.INFO, text: expect.stringMatching(/1 wait, for about \d+ s$/) }]);
    await answerTo((done) => client.cancel(new Empty(), done));
    expect((await failing).details).toMatch(/before the request was/);
  });

  it("after Cancel send nothing, and say so", async () => {
    const client = await configured();
    for (let times = 0; times < 2; times++) await answerTo((done) => client.cancel(new Empty(), done));
    emulator.resetRequests();
    const request = new messages.CreateRequest().setUrn(site).setProperties(toStruct({ title: "Handbook" }));
    const error = await refusal(answerTo((done) => client.create(request, done)));
    expect(error.details).toMatch(/before the request was/);
    expect(emulator.log).toEqual([]);
    expect(log.messages).toEqual([]);
  });

  it("of 300 checks and 100 creations at once are all answered", async () => {
    const client = await configured();
    const names = Array.from({ length: 300 }, (_, index) => `Page ${index}`);
    const checks = await Promise.all(
      names.map((title) => check(client, toStruct({ title }), urnOf("docs:index:Site", title))),
    );
    expect(checks.flatMap((answer) => answer.getFailuresList())).toEqual([]);
    const created = await Promise.all(
      names.slice(0, 100).map((title) => {
        const request = new messages.CreateRequest().setUrn(site).setProperties(toStruct({ title }));
        return answerTo<messages.CreateResponse>((done) => client.create(request, done));
      }),
    );
    expect(new Set(created.map((answer) => answer.getId())).size).toBe(100);
  });
});

it("reads properties in the order of their names, whatever the order in which they arrive", () => {
  const parts = [{ b: { d: 1 } }, { a: true }].map((part) => toStruct(part).serializeBinary());
  const struct = Object.assign(new Struct(), { serializeBinary: () => Buffer.concat(parts) });
  expect(Object.keys(readStruct(struct).properties)).toEqual(["a", "b"]);
});
