import { describe, expect, it } from "vitest";
import { startEmulator } from "../../../provider/emulator";
import { Instance } from "../../../provider/hosts/plugin/instance";
import type { Properties } from "../../../provider/run/properties";
import { PluginProvider } from "../../support/plugin-provider";

const baseUrl = "https://api.docs.example";

interface Before {
  readonly olds?: Properties;
  readonly name?: string;
  readonly environment?: object;
}

const checked = (news: Properties, { olds = {}, name = "own", environment = {} }: Before) =>
  new Instance({ version: "1.2.3", environment: { ...environment } }).checkConfiguration(
    olds,
    { baseUrl, ...news },
    name,
  );

/** The inputs that the engine records for a provider object, given those that it has recorded before. */
function recordedAfter(news: Properties, before: Before = {}): Properties {
  const { inputs, failures } = checked(news, before);
  expect(failures).toEqual([]);
  return inputs;
}

/** The reasons why the configuration is refused. The engine would print the value of a property that a failure names. */
function problemsOf(news: Properties, before: Before = {}): string[] {
  const { failures } = checked(news, before);
  expect(failures.map(({ property }) => property)).toEqual(failures.map(() => ""));
  return failures.map(({ reason }) => reason);
}

describe("a setting that cannot be used is a problem of the provider", () => {
  it.each([
    ["tok_set_by_mistake", "own", "an address that is none, of a provider object"],
    ["https://ada:tok_password@docs.example", "own", "an address with a user"],
    ["tok_set_by_mistake", "default", "an address that is none"],
  ])("%s of %s", (address, name, title) => {
    const [problem = ""] = problemsOf({ baseUrl: address }, { name });
    expect(problem).toHaveWording(title);
    expect(problem).not.toContain("tok_");
  });

  it("and so is a misspelt setting, without its value", () => {
    expect(problemsOf({ tokn: "tok_plain" })).toEqual([expect.toHaveWording("a misspelt setting")]);
  });

  it("also if the environment has it, and so is another service than the recorded one", () => {
    expect(problemsOf({}, { name: "default", environment: { DOCS_BASE_URL: "x" } })).toEqual([
      expect.stringMatching(/^DOCS_BASE_URL: .* absolute/),
    ]);
    const olds = recordedAfter({});
    expect(problemsOf({ baseUrl: "https://other.docs.example" }, { olds })).toEqual([
      expect.stringMatching(/ the service at https:\/\/api\.docs\.example, and provider object /),
    ]);
  });
});

describe("the organization of a provider object", () => {
  it("is recorded, whether its inputs or the environment name it, and stays when they no longer do", () => {
    const byInputs = recordedAfter({ organizationId: "acme" });
    const byEnvironment = recordedAfter({}, { environment: { DOCS_ORGANIZATION_ID: "acme" } });
    for (const olds of [byInputs, byEnvironment]) {
      expect(olds).toMatchObject({ __organization: "acme" });
      expect(recordedAfter({}, { olds })).toMatchObject({ __organization: "acme" });
      expect(recordedAfter({ organizationId: "acme" }, { olds })).toMatchObject({ __organization: "acme" });
    }
    expect(recordedAfter({})).not.toHaveProperty("__organization");
    expect(recordedAfter({ organizationId: "beta" }, { olds: recordedAfter({}) })).toMatchObject({
      __organization: "beta",
    });
  });

  it("cannot change, and the refusal names the provider object and the setting", () => {
    const olds = recordedAfter({ organizationId: "acme" });
    const changed = { organizationId: "beta" };
    expect(problemsOf(changed, { olds })).toEqual([expect.toHaveWording("another organization of a provider object")]);
    expect(problemsOf(changed, { olds, name: "default_1_2_3" })).toEqual([
      expect.stringMatching(/^the default provider .* docs:organizationId names beta/),
    ]);
    expect(problemsOf({}, { olds, name: "default", environment: { DOCS_ORGANIZATION_ID: "beta" } })).toEqual([
      expect.stringContaining("but DOCS_ORGANIZATION_ID names beta"),
    ]);
  });

  it("is what the environment names for the default provider, also after an earlier version that recorded only the input", () => {
    const environment = { DOCS_ORGANIZATION_ID: "acme" };
    const olds = { baseUrl, organizationId: "beta" };
    const after = recordedAfter({ organizationId: "beta" }, { olds, environment, name: "default" });
    expect(after).toMatchObject({ __organization: "acme" });
  });
});

it.each([
  ["own", "a refused token of a provider object"],
  ["default", "a refused token of the default provider"],
])("a token of %s that the service refuses: the message names the variable that overrides it", async (name, title) => {
  const emulator = await startEmulator();
  const config = { "docs:baseUrl": emulator.url, "docs:token": "tok_rotated", "docs:organizationId": "acme" };
  const provider = await PluginProvider.start("Site", { config, name });
  await expect(provider.readExisting("site_handbook")).rejects.toHaveWording(title);
  await provider.stop();
  await emulator.close();
});
