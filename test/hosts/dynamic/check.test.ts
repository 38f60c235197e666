import { beforeEach, expect, it } from "vitest";
import * as definitions from "../../../provider/definitions";
import { ResourceHandler } from "../../../provider/lifecycle/handler";
import type { ResourceName } from "../../../provider/resources/names";
import { type Properties, unknownValue } from "../../../provider/run/properties";
import { Run } from "../../../provider/run/run";
import { Settings } from "../../../provider/run/settings";

let run: Run;
beforeEach(() => {
  const settings = { DOCS_BASE_URL: "http://127.0.0.1:1", DOCS_TOKEN: "tok_1", DOCS_ORGANIZATION_ID: "acme" };
  run = new Run({ settings: new Settings(settings) });
});

/** Calls `check` with what the engine passes, including what the class of the resource hands over. */
function check(resource: ResourceName, name: string, declared: Properties) {
  const manager = { name: `${resource} "${name}"`, position: `urn:${resource}::${name}` };
  const handler = new ResourceHandler(definitions[resource], { run });
  return handler.check({}, { ...declared, __services: { services: {}, manager } });
}

it("refuses a second manager with the names of both, as soon as all values are known", async () => {
  await check("TeamMembers", "everybody", { teamId: "team_1", members: { user_ada: "owner" } });
  const second = { teamId: "team_1", user: "user_ada", role: "owner" };
  await expect(check("TeamMembership", "ada", { ...second, teamId: unknownValue })).resolves.toBeDefined();
  await expect(check("TeamMembership", "ada", second)).rejects.toHaveWording("a second manager");
  await expect(check("TeamMembers", "everybody", { teamId: "team_1", members: {} })).resolves.toBeDefined();
});

it("names a concealed property in the reason only, because the engine would show the value", async () => {
  const saml = { label: "Acme", entityID: "https://idp.test", ssoURL: "https://idp.test/sso", certificate: "not one" };
  const { failures } = (await check("SamlProvider", "acme", saml)) ?? {};
  expect(failures).toEqual([{ property: "", reason: expect.stringMatching(/^certificate: found/) }]);
});
