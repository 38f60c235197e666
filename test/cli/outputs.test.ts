import { expect, test } from "vitest";
import { readState } from "../../provider/audit/state";
import { outputsIn, stackOutputFormats } from "../../provider/cli/actions/outputs";

const resource = (type: string, name: string, id: string, outputs: object) => ({
  urn: `urn:pulumi:main::acme::docs:index:${type}::${name}`,
  ...{ type: `docs:index:${type}`, id, outputs },
});
const site = { urls: { published: "https://it's.acme.test" }, hostname: null, proxyTarget: "p.acme.test" };
const resources = [
  resource("Site", "acme-guide", "site_1", site),
  resource("SamlProvider", "acme-okta", "saml_1", { service: { acsURL: "https://s.test/acs", entityID: "urn:s" } }),
  resource("MemberRoles", "acme-members", "acme/roles", { roles: {} }),
];
const all = outputsIn(readState(JSON.stringify({ deployment: { resources } }), "x"), "acme");

test("prints the values of sites and SAML providers by their keys in the file", () => {
  expect(stackOutputFormats.text(all)).toHaveWording("outputs as text");
  expect(JSON.parse(stackOutputFormats.json(all))).toEqual({
    sites: { guide: { id: "site_1", published: "https://it's.acme.test", proxyTarget: "p.acme.test" } },
    saml: { okta: { id: "saml_1", acsURL: "https://s.test/acs", entityID: "urn:s" } },
  });
  expect(stackOutputFormats.shell(all)).toHaveWording("outputs as shell lines");
});

test("refuses two values that would be one variable", () => {
  const twice = ["a-b", "a.b"].map((key) => ({ path: ["sites", key, "id"] as const, value: "x" }));
  expect(() => stackOutputFormats.shell(twice)).toThrow(expect.toHaveWording("two outputs of one variable"));
});
