import { readFileSync } from "node:fs";
import * as messages from "@pulumi/pulumi/proto/provider_pb.js";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { answerTo } from "../../../provider/hosts/plugin/grpc";
import { KnownSecrets, withoutSecrets } from "../../../provider/hosts/plugin/secrets";
import { readStruct, toStruct } from "../../../provider/hosts/plugin/values";
import type { Properties } from "../../../provider/run/properties";
import { failureOf } from "../../support/failure";
import { LyingService } from "../../support/lying-service";
import { PluginProvider, secret } from "../../support/plugin-provider";

const urnOf = (type: string) => `urn:pulumi:test::project::docs:index:${type}::test`;

let emulator: Emulator;
const opened: PluginProvider[] = [];

beforeAll(async () => {
  emulator = await startEmulator();
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.stop();
});
afterAll(() => emulator.close());

const schema = readFileSync("plugin/schema.json", "utf8");

async function started(type: string, baseUrl = emulator.url) {
  const { token, organizationId } = emulator;
  const config = { baseUrl, token, organizationId };
  const provider = await PluginProvider.start(type, { config, patience: 200, schema });
  opened.push(provider);
  return provider;
}

const allSecret = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, secret(value)]));
const refusalOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

async function failuresOf(type: string, properties: Properties): Promise<string[]> {
  const { client } = await started(type);
  const request = new messages.CheckRequest().setUrn(urnOf(type)).setNews(toStruct(allSecret(properties)));
  const answer = await answerTo<messages.CheckResponse>((done) => client.check(request, done));
  const failures = answer.getFailuresList();
  // The engine prints the value of a property that a failure names.
  expect(failures.map((one) => one.getProperty())).toEqual(failures.map(() => ""));
  return failures.map((one) => one.getReason());
}

describe("a failure of a secret property shows neither the value nor a name in it", () => {
  it.each<[string, Properties, RegExp[]]>([
    [
      "MemberRole",
      { user: "HUSHED user", role: "HUSHEDrole" },
      [/^user: found a text of 11 characters; use /, /^role: found a text of 10 characters; use one of "/],
    ],
    ["MemberRoles", { roles: { "ada@acme.test": "HUSHED" } }, [/^roles: found a text of 6 characters; use one of/]],
    ["MemberRoles", { roles: { "HUSHED name": "edit" } }, [/^roles: found a text of 11 characters; use /]],
    ["Site", { title: "Handbook", visibility: "HUSHED" }, [/^visibility: found a text of 6 characters; use one of/]],
    ["Site", { title: "Handbook", visibility: "publik" }, [/^visibility: found a text of 6 characters; [^?]*$/]],
    ["Site", { title: "Handbook", proxy: { HUSHED: "x" } }, [/^proxy: /]],
    ["TeamMembers", { teamId: "HUSHED id", members: { "HUSHED name": "HUSHED" } }, [/^teamId: /, /^members: /]],
    ["SamlProvider", { label: "Acme", entityId: "x", ssoURL: "HUSHED", certificate: "HUSHED" }, [/^ssoURL: /]],
  ])("%s %o", async (type, properties, expected) => {
    const failures = await failuresOf(type, properties);
    for (const one of expected) expect(failures).toContainEqual(expect.stringMatching(one));
    expect(failures.join("\n")).not.toMatch(/hushed|publik|"public"\?/i);
  });
});

describe("the texts of secrets are hidden", () => {
  it("in the warnings and errors of every call", async () => {
    const provider = await started("MemberRole");
    const error = await refusalOf(provider.create(allSecret({ user: "Hushed_User", role: "edit" })));
    expect(error).toContain("[secret]");
    expect(error).not.toMatch(/hushed/i);

    const unknown = new messages.InvokeRequest()
      .setTok("docs:index:getSite")
      .setArgs(toStruct(allSecret({ siteId: "hushed_site" })));
    expect(await refusalOf(answerTo((done) => provider.client.invoke(unknown, done)))).not.toMatch(/hushed/i);

    const translation = { source: { space: "guides", language: "en" }, language: "hushedlang" };
    await provider.of("Translation").check(undefined, allSecret(translation));
    await vi.waitFor(() =>
      expect(provider.log.messages).toMatchObject([{ text: expect.stringContaining('"[secret]" is not a known ') }]),
    );
    expect(JSON.stringify(provider.log.messages)).not.toMatch(/hushed/i);
  });

  it.each([
    ["a text in another case", ["Hushed.User"], "no member hushed.user", "no member [secret]"],
    ["a text that was shortened", ["hushed".repeat(20)], `found "${"hushed".repeat(9)}..."`, 'found "[secret]..."'],
    ["a quoted text", ['say "hush"'], 'found "say \\"hush\\""', 'found "[secret]"'],
    ["a text in a URL", ["hush@x.test"], "GET /users/hush%40x.test", "GET /users/[secret]"],
    ["a text that contains another", ["hush", "hush-hush"], "hush-hush and hush", "[secret] and [secret]"],
    ["a short text, as a whole word only", ["view"], "a review needs view", "a review needs [secret]"],
    ["no text of three characters", ["the"], "the role", "the role"],
  ])("%s", (_, texts, message, expected) => {
    expect(withoutSecrets(message, new Set(texts))).toBe(expected);
  });

  it("where the service claims a change that it did not make: neither the declared nor the live value", async () => {
    const lying = await LyingService.start(emulator.url);
    onTestFinished(() => lying.close());
    lying.on("updateSite", ({ request }) => void Object.assign(request.body ?? {}, { visibility: "public" }));
    const provider = await started("Site", lying.url);
    const declared = (title: string) => allSecret({ title, visibility: "unlisted" });
    const { id, properties } = await provider.create(declared("Before"));
    const error = await refusalOf(provider.update(id, properties, declared("After")));
    expect(error).toHaveWording("a claimed change of secrets");
    expect(error).not.toContain("public");
  });

  it("also in what later calls say, about other resources too", async () => {
    const provider = await started("TeamMembership");
    await provider.check(undefined, { teamId: "team_support", user: secret("user_hushed"), role: "member" });
    const error = await refusalOf(provider.of("MemberRole").create({ user: "User_Hushed", role: "edit" }));
    expect(error).toContain("[secret]");
    expect(error).not.toMatch(/hushed/i);
    const { failures } = await provider.of("Site").check(undefined, { title: "Guide", visibility: "user_hushed" });
    expect(failures).toEqual([{ property: "visibility", reason: expect.stringContaining("[secret]") }]);
  });

  it("except words of the schema in other calls", () => {
    const known = new KnownSecrets(JSON.stringify({ enum: ["admin"] }));
    known.add(["admin", "hushed", "long".repeat(400)]);
    expect(known.hide("admin hushed")).toBe("admin [secret]");
    expect(known.hide(`it is ${"long".repeat(300)}`)).not.toContain("long".repeat(100));
  });

  it("also those of names in an object, and of items", () => {
    const { secrets, secretTexts } = readStruct(toStruct(allSecret({ roles: { ada: ["x", { b: "c" }] }, count: 1 })));
    expect(secrets).toEqual(new Set(["roles", "count"]));
    expect(secretTexts).toEqual(new Set(["ada", "b", "c", "x"]));
  });
});

describe("the outputs of a resource", () => {
  const outputsWith = async (secrets: string[], preview: boolean) => {
    const { client } = await started("MemberRole");
    const request = new messages.CreateRequest()
      .setUrn(urnOf("MemberRole"))
      .setPreview(preview)
      .setProperties(toStruct({ user: "user_ada", role: "admin" }, new Set(secrets)));
    const created = await answerTo<messages.CreateResponse>((done) => client.create(request, done));
    const state = created.getProperties();
    if (preview) return readStruct(state).secrets;
    const read = new messages.ReadRequest().setUrn(urnOf("MemberRole")).setId(created.getId());
    const again = await answerTo<messages.ReadResponse>((done) => client.read(read.setProperties(state), done));
    expect(readStruct(again.getProperties()).secrets).toEqual(readStruct(state).secrets);
    return readStruct(state).secrets;
  };

  it.each([true, false])(
    "are secret with a secret input, from which they may derive (preview: %s)",
    async (preview) => {
      const secrets = await outputsWith(["user"], preview);
      expect([...secrets]).toEqual(expect.arrayContaining(["user", "email", "displayName", "userId"]));
      expect(secrets).not.toContain("role");
    },
  );

  it("are plain without one", async () => {
    expect([...(await outputsWith([], false))]).toEqual([]);
  });
});
