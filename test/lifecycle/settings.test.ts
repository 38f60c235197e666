import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type Provider, startProvider } from "../support/provider";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** The message of an error of the resource, in a process with these settings. */
async function messageOf(
  resource: string,
  options: Parameters<typeof startProvider>[1],
  call: (provider: Provider) => Promise<unknown>,
): Promise<string> {
  const provider = await startProvider(resource, options);
  try {
    return await call(provider).then(
      () => expect.fail("it succeeded"),
      ({ message }: Error) => message,
    );
  } finally {
    await provider.stop();
  }
}

describe("a token that does not know the organization", () => {
  const environment = () => ({ DOCS_BASE_URL: emulator.url, DOCS_TOKEN: emulator.token, DOCS_ORGANIZATION_ID: "acme" });
  const organizationId = "be-ta";
  const creations: [resource: string, inputs: Record<string, unknown>][] = [
    ["Site", { organizationId, title: "Second" }],
    ["MemberRole", { organizationId, user: "user_ines", role: "read" }],
    ["TeamMembership", { organizationId, teamId: "team_support", user: "user_ines", role: "member" }],
  ];

  it.each(creations)(
    "is reported by %s, with the settings for a token of the organization",
    async (resource, inputs) => {
      const message = await messageOf(resource, { environment: environment() }, (one) => one.create(inputs));
      expect(message).toMatch(/404/);
      expect(message.slice(message.indexOf("The declaration"))).toHaveWording("a token of another organization");
    },
  );

  it("is reported as the organization's own token if it is one", async () => {
    const config = { "docs:tokens": JSON.stringify({ [organizationId]: emulator.token }) };
    const [site] = creations;
    const own = (one: Provider) => one.create(site?.[1] ?? {});
    expect(await messageOf("Site", { environment: environment(), config }, own)).toHaveWording("a wrong own token");
  });

  it("is not reported if an object of the organization is missing", async () => {
    const inputs = { teamId: "team_nowhere", user: "user_ines", role: "member" };
    const message = await messageOf("TeamMembership", { environment: environment() }, (one) => one.create(inputs));
    expect(message).toMatch(/404/);
    expect(message).not.toMatch(/token was taken|DOCS_TOKEN/);
  });
});

describe("an address that does not answer", () => {
  const state = { organizationId: "acme", __version: 1, __origin: "http://127.0.0.1:1" };
  const common = { DOCS_TOKEN: "tok", DOCS_ORGANIZATION_ID: "acme", DOCS_DEADLINE: "1" };
  const read = (one: Provider) => one.read("site_product", state);
  const config = { "docs:baseUrl": "http://127.0.0.1:1" };

  it("is that of the last up if no program runs, and the error says so", async () => {
    const message = await messageOf("Site", { environment: common, config }, read);
    expect(message).toHaveWording("an address that does not answer");
  });

  it("is reported with its setting if it comes from the environment, or if a program runs", async () => {
    const environment = { ...common, DOCS_BASE_URL: "http://127.0.0.1:1" };
    expect(await messageOf("Site", { environment }, read)).toMatch(/environment variable DOCS_BASE_URL\.$/);
    const inProgram = async (one: Provider) => {
      await one.check(undefined, { title: "Guide" });
      await one.create({ title: "Guide" });
    };
    expect(await messageOf("Site", { environment: common, config }, inProgram)).toMatch(
      /configuration docs:baseUrl\.$/,
    );
  });
});

describe("a mistake that all resources share", () => {
  /** The messages of two calls in one process. */
  const messagesOf = async (environment: NodeJS.ProcessEnv, config = {}, state = {}) => {
    const provider = await startProvider("Site", { environment, config });
    const recorded = { organizationId: "acme", ...state };
    const failed = (id: string) => provider.read(id, recorded).catch(({ message }: Error) => message);
    const messages = [await failed("site_one"), await failed("site_two")];
    await provider.stop();
    return messages;
  };

  it("is explained once if the service refuses the token", async () => {
    const environment = { DOCS_BASE_URL: emulator.url, DOCS_TOKEN: "wrong-token", DOCS_ORGANIZATION_ID: "acme" };
    const [first, second] = await messagesOf(environment);
    expect(first).toHaveWording("a token that the service refuses");
    expect(second).toHaveWording("a token that the service refuses, at the next resource");
  });

  it("is explained once if nothing answers at the address", async () => {
    const environment = { DOCS_BASE_URL: "http://127.0.0.1:1", DOCS_TOKEN: "tok", DOCS_ORGANIZATION_ID: "acme" };
    const [first, second] = await messagesOf(environment);
    expect(first).toMatch(/ECONNREFUSED.* DOCS_BASE_URL\.$/s);
    expect(second).toMatch(/^could not .* \(the error of another/);
  });

  it("is explained once if the service does not find anything, as with a wrong path", async () => {
    const settings = { DOCS_TOKEN: emulator.token, DOCS_ORGANIZATION_ID: "acme" };
    const [first, second] = await messagesOf({ ...settings, DOCS_BASE_URL: `${emulator.url}/elsewhere` });
    expect(first).toHaveWording("a service that finds nothing");
    expect(second).toContain("(the error of another");
  });

  it("names no command of Pulumi to the users of docs-org", async () => {
    const environment = { DOCS_COMMAND: "true", DOCS_TOKEN: "tok", DOCS_ORGANIZATION_ID: "acme" };
    expect((await messagesOf(environment))[0]).toHaveWording("no address, with docs-org");
    const elsewhere = { __version: 1, __origin: "https://docs.test" };
    const [other] = await messagesOf({ ...environment, DOCS_BASE_URL: emulator.url }, {}, elsewhere);
    expect(other).toHaveWording("a service at another address, with docs-org");
  });

  it("is explained once if the address has no https, with the setting that names it", async () => {
    const common = { DOCS_TOKEN: "tok", DOCS_ORGANIZATION_ID: "acme" };
    const environment = { ...common, DOCS_BASE_URL: "http://docs.test" };
    for (const recorded of [undefined, { __version: 1, __origin: "https://docs.test" }]) {
      const [problem, next] = await messagesOf(environment, {}, recorded);
      expect(problem).toHaveWording("an address without https");
      expect(next).toContain(`${problem} (the error of another`);
    }
    const [stored] = await messagesOf(common, { "docs:baseUrl": "http://docs.test" });
    expect(stored).toHaveWording("an address without https in the configuration");
  });
});
