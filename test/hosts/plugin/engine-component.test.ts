import { Server, type ServerUnaryCall, type ServiceError, type sendUnaryData, status } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb.js";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import * as monitor from "@pulumi/pulumi/proto/resource_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { answerTo, bind } from "../../../provider/hosts/plugin/grpc";
import { readStruct, toStruct } from "../../../provider/hosts/plugin/values";
import { constructOrganization } from "../../../provider/organization/construct-in-plugin";
import { type Properties, unknownValue } from "../../../provider/run/properties";
import { organizationType } from "../../../provider/run/urn";
import { failureOf } from "../../support/failure";
import { PluginProvider } from "../../support/plugin-provider";

const urnPrefix = "urn:pulumi:prod::docs::";
const component = `${urnPrefix}${organizationType}::acme`;

interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: Properties;
  readonly request: monitor.RegisterResourceRequest;
}

/** The part of an engine that a component needs: it records what is registered, and answers with what a test says. */
class Engine {
  readonly registered: Registered[] = [];
  readonly outputs = new Map<string, Properties>();
  recorded: Record<string, { type: string; outputs: Properties }> = {};
  /** Ids of resources by name; a resource without one gets a new one. An empty id is that of a preview. */
  ids: Record<string, string> = {};
  failing: readonly string[] = [];
  /** The name of the resource at which the engine ends the command. */
  ending = "";

  private constructor(
    private readonly server: Server,
    readonly address: string,
  ) {}

  static async start(): Promise<Engine> {
    const server = new Server();
    const engine = new Engine(server, `127.0.0.1:${await bind(server)}`);
    server.addService(ResourceMonitorService, engine.service() as never);
    return engine;
  }

  stop(): void {
    this.server.forceShutdown();
  }

  private service() {
    return {
      registerResource: (
        { request }: ServerUnaryCall<monitor.RegisterResourceRequest, unknown>,
        answer: sendUnaryData<monitor.RegisterResourceResponse>,
      ) => {
        const [type, name] = [request.getType(), request.getName()];
        if (name === this.ending) return answer({ code: status.UNAVAILABLE, details: "shut down" } as ServiceError);
        this.registered.push({ type, name, inputs: readStruct(request.getObject()).properties, request });
        const parent =
          request.getParent() === "" ? urnPrefix : `${request.getParent().split("::").slice(0, 3).join("::")}$`;
        const object = { ...readStruct(request.getObject()).properties, urls: { published: `https://${name}` } };
        answer(
          null,
          new monitor.RegisterResourceResponse()
            .setUrn(`${parent}${type}::${name}`)
            .setId(this.ids[name] ?? (request.getCustom() ? `id_${name}` : ""))
            .setObject(toStruct(object))
            .setResult(this.failing.includes(name) ? monitor.Result.FAIL : monitor.Result.SUCCESS),
        );
      },
      registerResourceOutputs: (
        { request }: ServerUnaryCall<monitor.RegisterResourceOutputsRequest, unknown>,
        answer: sendUnaryData<Empty>,
      ) => {
        this.outputs.set(request.getUrn(), readStruct(request.getOutputs()).properties);
        answer(null, new Empty());
      },
      invoke: (_: unknown, answer: sendUnaryData<monitor.ResourceInvokeResponse>) => {
        answer(null, new monitor.ResourceInvokeResponse().setReturn(toStruct({ outputs: this.recorded })));
      },
    };
  }
}

let emulator: Emulator;
let engine: Engine;
let plugin: PluginProvider;

beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

beforeEach(async () => {
  engine = await Engine.start();
  const environment = { DOCS_BASE_URL: emulator.url, DOCS_TOKEN: emulator.token };
  plugin = await PluginProvider.start("Site", {
    environment,
    constructOrganization,
    patience: 200,
    urn: `${urnPrefix}pulumi:providers:docs::default`,
  });
});
afterEach(async () => {
  await plugin.stop();
  engine.stop();
  emulator.resetRequests();
});

const sites = {
  organization: "acme",
  sites: {
    guide: { title: "Guide", adaptiveSchema: { claims: { beta: { type: "boolean", description: "Takes part" } } } },
    drafts: { title: "Drafts", protect: false },
  },
};

const named =
  (name: string): Change =>
  (request) =>
    request.setName(name);

type Change = (request: messages.ConstructRequest) => messages.ConstructRequest;

async function construct(inputs: Properties, change: Change = (request) => request) {
  const request = change(
    new messages.ConstructRequest()
      .setStack("prod")
      .setProject("docs")
      .setOrganization("organization")
      .setMonitorendpoint(engine.address)
      .setType(organizationType)
      .setName("acme")
      .setInputs(toStruct(inputs)),
  );
  const response = await answerTo<messages.ConstructResponse>((done) => plugin.client.construct(request, done));
  const sources = Object.fromEntries(
    response
      .getStatedependenciesMap()
      .toArray()
      .map(([name]) => [name, response.getStatedependenciesMap().get(name)?.getUrnsList()]),
  );
  return { urn: response.getUrn(), outputs: readStruct(response.getState()).properties, sources };
}

const child = (name: string, type: string) =>
  engine.registered.find((one) => one.name === name && one.type === `docs:index:${type}`) as Registered;

it("registers the children with their provider, aliases, protection and dependencies, and returns their ids", async () => {
  const { urn, outputs, sources } = await construct(sites);
  expect(urn).toBe(component);
  const registered = engine.registered.map(({ type, name }) => `${type} ${name}`);
  // The notes come last: what has failed is not what later reviews compare with.
  expect([registered[0], registered.at(-1)]).toEqual([
    "docs:index:Organization acme",
    "docs:index:OrganizationNotes acme-notes",
  ]);
  const { request, inputs } = child("acme-guide", "Site");
  expect(inputs).toEqual({ organizationId: "acme", title: "Guide" });
  expect(request.toObject()).toMatchObject({
    custom: true,
    parent: component,
    protect: true,
    provider: `${urnPrefix}pulumi:providers:docs::default::id`,
    aliasesList: [{ spec: { type: "pulumi-nodejs:dynamic/docs:Site" } }],
  });
  expect(child("acme-drafts", "Site").request.getProtect()).toBe(false);
  const schema = child("acme-guide", "SiteAdaptiveSchema");
  const site = `${urnPrefix}${organizationType}$docs:index:Site::acme-guide`;
  expect(schema.inputs).toMatchObject({ siteId: "id_acme-guide" });
  expect(schema.request.getDependenciesList()).toEqual([site]);
  expect(schema.request.getPropertydependenciesMap().get("siteId")?.getUrnsList()).toEqual([site]);
  expect(outputs).toMatchObject({
    siteIds: { guide: "id_acme-guide", drafts: "id_acme-drafts" },
    publishedUrls: { guide: "https://acme-guide" },
    translationIds: {},
  });
  expect(sources.siteIds?.sort()).toEqual([site.replace("guide", "drafts"), site]);
  expect(engine.outputs.get(component)).toEqual(outputs);
});

it("passes on what is not known in a preview", async () => {
  engine.ids = { "acme-guide": "" };
  const preview = await construct(sites, (request) => request.setDryrun(true));
  expect(child("acme-guide", "SiteAdaptiveSchema").inputs.siteId).toBe(unknownValue);
  expect(preview.outputs.siteIds).toEqual({ guide: unknownValue, drafts: "id_acme-drafts" });
});

it("registers no part of a site that failed, and ends quietly with the engine", async () => {
  engine.failing = ["acme-guide"];
  engine.ending = "acme-drafts";
  const { outputs } = await construct(sites);
  expect(child("acme-guide", "SiteAdaptiveSchema")).toBeUndefined();
  expect(outputs.siteIds).toEqual({ guide: unknownValue, drafts: unknownValue });
});

it("refuses what it cannot know or show, other types, and a second component for the organization", async () => {
  const unknown = { organization: "acme", members: { user_a: unknownValue } };
  await expect(construct(unknown, named("other"))).rejects.toHaveWording("a component with an unknown value");
  const withSecret: Change = (request) =>
    request.setInputs(toStruct({ organization: "acme", file: "hushed.yaml" }, new Set(["file"])));
  await expect(construct({}, withSecret)).rejects.toThrow(/file contains a secret/);
  await expect(construct({}, (request) => request.setType("docs:index:Organisation"))).rejects.toHaveWording(
    "a misspelt component",
  );
  await expect(construct({ file: "missing.yaml" })).rejects.toThrow(/could not read missing\.yaml/);
  expect(engine.registered).toEqual([]);
  // The refusals refuse every other organization of the run.
  await expect(construct(sites)).rejects.toHaveWording("a component of a run that another one refuses");
  await expect(construct(sites, named("more"))).rejects.toHaveWording("a second component for an organization");
});

it("answers a refusal when the other components of the program are refused as well", async () => {
  const refusal = async (name: string, inputs: Properties) => (await failureOf(construct(inputs, named(name)))).message;
  const first = refusal("first", sites);
  const second = refusal("second", sites);
  expect((await Promise.all([first, second])).sort()).toEqual([
    expect.stringMatching(/^Organization "first": nothing is changed/),
    expect.stringMatching(/^Organization "second": .* already declares/),
  ]);
  expect(engine.registered.map(({ name }) => name)).toEqual(["first"]);
});

it.each([
  ["without an alias", [], /the stack manages "acme" as old, which is no longer in the program/],
  ["with an alias", ["old"], /guards\.maxRemovals: 1 person would lose a role/],
])("knows the recorded children of a renamed component, under the types of both hosts, %s", async (_, names, words) => {
  const type = "pulumi-nodejs:dynamic/docs:MemberRoles";
  const roles = { user_cem: "create", user_dana: "create" };
  const image = { "4dabf18193072939515e22adb298388d": "0def7320c3a5731c473e5ecbe6d01bc7" };
  engine.recorded = {
    [`${urnPrefix}${organizationType}$${type}::old-members`]: { type, outputs: { organizationId: "acme", roles } },
    // A resource of another package may have values that this one cannot read.
    [`${urnPrefix}aws:s3/bucket:Bucket::other`]: { type: "aws:s3/bucket:Bucket", outputs: { image } },
  };
  const declared = { organization: "acme", members: { user_cem: "create" }, guards: { maxRemovals: 0 } };
  const aliases = names.map((name) => new Alias().setSpec(new Alias.Spec().setName(name)));
  const renaming: Change = (request) => request.setName("new").setAliasesList(aliases);
  await expect(construct(declared, renaming)).rejects.toThrow(words);
  expect(engine.registered.map((one) => one.type)).toEqual([organizationType]);
});

it("sends each warning when the engine has the one before, so that a review always has them in the same order", async () => {
  const ended = { role: "edit", expires: { on: "2026-01-01", then: "read" } };
  let answer = () => {};
  plugin.log.answering = new Promise((resolve) => {
    answer = resolve;
  });
  const members = { "ada@acme.test": "admin", "cem@acme.test": ended, "dana@acme.test": ended };
  const constructing = construct({ organization: "acme", members });
  const warned = () => plugin.log.messages.flatMap(({ text, urn }) => (urn === "" ? [] : [text]));
  await expect.poll(warned).not.toEqual([]);
  const first = warned();
  answer();
  await constructing;
  const [cem, dana] = ["cem", "dana"].map((name) => warned().findIndex((text) => text.includes(`to ${name}@`)));
  expect([first.length, cem, dana]).toEqual([1, 2, 3]);
});

it("lets the preview of a child under another key warn, with the former key", async () => {
  const outputs = { organizationId: "acme", title: "Guide", siteId: "site_1", createdAt: "2026-01-01T00:00:00Z" };
  engine.recorded = {
    [`${urnPrefix}${organizationType}$docs:index:Site::acme-handbook`]: { type: "docs:index:Site", outputs },
  };
  await construct(sites, (request) => request.setDryrun(true));
  const urn = `${urnPrefix}${organizationType}$docs:index:Site::acme-guide`;
  const properties = toStruct({ organizationId: "acme", title: "Guide" });
  const creation = new messages.CreateRequest().setUrn(urn).setProperties(properties).setPreview(true);
  await answerTo((done) => plugin.client.create(creation, done));
  await expect
    .poll(() => plugin.log.messages)
    .toContainEqual(
      expect.objectContaining({
        urn,
        text: expect.stringMatching(/as Site "acme-handbook" .* keep its key "handbook" in organization\.yaml/),
      }),
    );
});
