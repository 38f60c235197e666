import { expect, test } from "vitest";
import { few, org, peopleSeed } from "../people";
import { emulate } from "../support";

const saml = `${org}/saml`;
const seed = peopleSeed(few);
const complete = {
  entityID: "urn:idp",
  certificate: "-----BEGIN CERTIFICATE-----",
  ssoURL: "https://idp.acme.test/sso",
};
const withOne = peopleSeed({ ...few, saml: [{ id: "saml_1", label: "Acme", ...complete, defaultTeam: "writers" }] });

test("a provider with only a label is pending, and has all required properties", async () => {
  const { call, url } = await emulate({ seed, now: () => new Date("2026-11-21T12:00:00Z") });
  const { status, headers, body } = await call("POST", saml, { label: "Acme" });
  expect(status).toBe(201);
  expect(body).toEqual({
    object: "saml-provider",
    id: expect.stringMatching(/^saml_\w{20}$/),
    label: "Acme",
    ssoURL: "about:blank",
    entityID: "",
    certificate: "",
    defaultRole: null,
    createdAt: "2026-11-21T12:00:00.000Z",
    status: "pending",
    service: { acsURL: expect.any(String), startURL: expect.any(String), entityID: expect.any(String) },
    urls: { location: `${url}${saml}/${body.id}` },
  });
  expect(headers.get("location")).toBe(body.urls.location);
  expect((await call("GET", `${saml}/${body.id}`)).body).toEqual(body);
  expect((await call("GET", `${org}/sso`)).body).toEqual({ items: [] });
  // What was read may be written back: it is not set by that.
  const { ssoURL, entityID, certificate } = body;
  expect((await call("PATCH", `${saml}/${body.id}`, { ssoURL, entityID, certificate })).body).toEqual(body);
});

test("a complete provider is active, and people can sign in with it", async () => {
  const { call } = await emulate({ seed });
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
  const { call, state } = await emulate({ seed: withOne });
  state.organizations.get("acme")?.teams.delete("writers");
  expect((await call("GET", `${saml}/saml_1`)).body).not.toHaveProperty("defaultTeam");
});

test.each([
  ["POST", "", { label: "Acme", defaultTeam: "nowhere" }, /^defaultTeam: organization "acme" has no team "nowhere"$/],
  ["POST", "", { label: "Acme", defaultTeam: null }, /^defaultTeam: /],
  ["PATCH", "/saml_1", { label: "New", defaultTeam: "nowhere" }, /^defaultTeam: /],
  ["PATCH", "/saml_1", { status: "active" }, /^status: there is no such property/],
])("%s saml%s with %j is refused, and changes nothing", async (method, path, body, message) => {
  const { call } = await emulate({ seed: withOne });
  const before = (await call("GET", saml)).body;
  const answer = await call(method, saml + path, body);
  expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringMatching(message)]);
  expect((await call("GET", saml)).body).toEqual(before);
});
