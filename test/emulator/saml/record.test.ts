import { expect, test } from "vitest";
import { few, org, peopleSeed } from "../people";
import { startEmulated } from "../support";

const saml = `${org}/saml`;
const seed = peopleSeed(few);
const complete = {
  entityID: "urn:idp",
  certificate: "-----BEGIN CERTIFICATE-----",
  ssoURL: "https://idp.acme.test/sso",
};
const withOne = peopleSeed({ ...few, saml: [{ id: "saml_1", label: "Acme", ...complete, defaultTeam: "writers" }] });

test("a complete provider is active, and people can sign in with it", async () => {
  const { call } = await startEmulated({ seed });
  const settings = { label: "Acme", ...complete, defaultTeam: "writers", defaultRole: "edit" };
  const { body } = await call("POST", saml, settings);
  expect(body).toMatchObject({
    ...settings,
    status: "active",
    defaultTeam: { object: "team", id: "writers", members: 2 },
  });
  const signIn = { id: body.id, label: "Acme", startURL: body.service.startURL };
  expect((await call("GET", `${org}/sso`)).body).toEqual({ items: [signIn] });
  await call("DELETE", `${saml}/${body.id}`);
  expect((await call("GET", `${org}/sso`)).body).toEqual({ items: [] });
});

test("a deleted default team is no longer shown", async () => {
  const { call, state } = await startEmulated({ seed: withOne });
  state.organizations.get("acme")?.teams.delete("writers");
  expect((await call("GET", `${saml}/saml_1`)).body).not.toHaveProperty("defaultTeam");
});
