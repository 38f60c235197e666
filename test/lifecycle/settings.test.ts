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
      expect(message).toMatch(/404|also answers 404 to the members of organization be-ta/);
      expect(message).toContain(
        "The declaration names organization be-ta, and the environment variable DOCS_ORGANIZATION_ID names acme: correct the wrong " +
          "one. The token was taken from the environment variable DOCS_TOKEN; if organization be-ta needs another one, set the environment " +
          "variable DOCS_TOKEN_BE_TA, or run: pulumi config set --secret --path 'docs:tokens[\"be-ta\"]' ...",
      );
    },
  );

  it("is reported as the organization's own token if it is one", async () => {
    const config = { "docs:tokens": JSON.stringify({ [organizationId]: emulator.token }) };
    const [site] = creations;
    const own = (one: Provider) => one.create(site?.[1] ?? {});
    expect(await messageOf("Site", { environment: environment(), config }, own)).toContain(
      "The token was taken from the configuration docs:tokens; check that it is a token of organization be-ta.",
    );
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
    expect(message).toMatch(
      /no answer from http:\/\/127\.0\.0\.1:1 .*The address was taken from the configuration docs:baseUrl\./,
    );
    const [, why, wayOut] = message.split("\n");
    expect(why).toMatch(/^It may be outdated: .*the last up stored in the state\.$/);
    expect(wayOut).toMatch(/DOCS_BASE_URL, or add --run-program \(before a destroy, run/);
  });

  it("is reported with its setting if it comes from the environment, or if a program runs", async () => {
    const environment = { ...common, DOCS_BASE_URL: "http://127.0.0.1:1" };
    expect(await messageOf("Site", { environment }, read)).toMatch(
      /The address was taken from the environment variable DOCS_BASE_URL\.$/,
    );
    const inProgram = async (one: Provider) => {
      await one.check(undefined, { title: "Guide" });
      await one.create({ title: "Guide" });
    };
    expect(await messageOf("Site", { environment: common, config }, inProgram)).toMatch(
      /The address was taken from the configuration docs:baseUrl\.$/,
    );
  });
});

describe("a mistake that all resources share", () => {
  /** The messages of two calls in one process. */
  const messagesOf = async (environment: NodeJS.ProcessEnv, config = {}) => {
    const provider = await startProvider("Site", { environment, config });
    const failed = (id: string) => provider.read(id, { organizationId: "acme" }).catch(({ message }: Error) => message);
    const messages = [await failed("site_one"), await failed("site_two")];
    await provider.stop();
    return messages;
  };

  it("is explained once if the service refuses the token", async () => {
    const environment = { DOCS_BASE_URL: emulator.url, DOCS_TOKEN: "wrong-token", DOCS_ORGANIZATION_ID: "acme" };
    const [first, second] = await messagesOf(environment);
    expect(first).toMatch(
      /answered 401 .*use a valid one\. The token was taken from the environment variable DOCS_TOKEN\.$/,
    );
    expect(second).toBe(
      "could not read site site_two: the service answered 401 (the error of another resource says what to do)",
    );
  });

  it("is explained once if nothing answers at the address", async () => {
    const environment = { DOCS_BASE_URL: "http://127.0.0.1:1", DOCS_TOKEN: "tok", DOCS_ORGANIZATION_ID: "acme" };
    const [first, second] = await messagesOf(environment);
    expect(first).toMatch(
      /ECONNREFUSED.*is the service running\? The address was taken from the environment variable DOCS_BASE_URL\.$/s,
    );
    expect(second).toMatch(
      /^could not .*: the service did not answer \(the error of another resource says what to do\)$/,
    );
  });

  it("is explained once if the address has no https, with the setting that names it", async () => {
    const common = { DOCS_TOKEN: "tok", DOCS_ORGANIZATION_ID: "acme" };
    const problem =
      'DOCS_BASE_URL: the base URL "http://docs.test" would send the token in plain text; use https (http is for loopback hosts)';
    expect(await messagesOf({ ...common, DOCS_BASE_URL: "http://docs.test" })).toEqual([
      problem,
      `${problem} (the error of another resource says what to do)`,
    ]);
    const [stored] = await messagesOf(common, { "docs:baseUrl": "http://docs.test" });
    expect(stored).toMatch(/^docs:baseUrl: the base URL .*\nIf it was set with pulumi config set since the last up: /);
  });
});
