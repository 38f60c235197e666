import { describe, expect, it } from "vitest";
import { Instance } from "../../../provider/hosts/plugin/instance";
import type { Properties } from "../../../provider/run/properties";

const baseUrl = "https://api.docs.example";

/** The inputs that the engine records for a provider object, given those that it has recorded before. */
function recordedAfter(
  news: Properties,
  { olds = {}, name = "own", environment = {} }: { olds?: Properties; name?: string; environment?: object } = {},
): Properties {
  const { inputs, failures } = new Instance({ version: "1.2.3", environment: { ...environment } }).checkConfiguration(
    olds,
    { baseUrl, ...news },
    name,
  );
  expect(failures).toEqual([]);
  return inputs;
}

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
    expect(() => recordedAfter(changed, { olds })).toThrow(
      'the provider object "own" of this stack manages organization acme, but its organizationId names beta; correct its ' +
        "organizationId, or remove it if every resource declares its own. For resources of beta, declare a provider object with " +
        "another name, or use a separate stack",
    );
    expect(() => recordedAfter(changed, { olds, name: "default_1_2_3" })).toThrow(
      "the default provider of this stack manages organization acme, but docs:organizationId names beta",
    );
    expect(() => recordedAfter({}, { olds, name: "default", environment: { DOCS_ORGANIZATION_ID: "beta" } })).toThrow(
      "but DOCS_ORGANIZATION_ID names beta",
    );
  });

  it("is what the environment names for the default provider, also after an earlier version that recorded only the input", () => {
    const environment = { DOCS_ORGANIZATION_ID: "acme" };
    const olds = { baseUrl, organizationId: "beta" };
    const after = recordedAfter({ organizationId: "beta" }, { olds, environment, name: "default" });
    expect(after).toMatchObject({ __organization: "acme" });
  });
});
