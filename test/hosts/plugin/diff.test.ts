import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { DiffRequest, DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, it } from "vitest";
import { Instance } from "../../../provider/hosts/plugin/instance";
import { serviceOf } from "../../../provider/hosts/plugin/service";
import { sent } from "../../../provider/hosts/plugin/values";
import type { Properties } from "../../../provider/run/properties";

const instance = new Instance({ version: "1.2.3", environment: {} });
const baseUrl = "https://api.docs.example";
instance.configure(
  { properties: { baseUrl, token: "tok_1", organizationId: "acme" }, secrets: new Set(["token"]) },
  { name: "default", urn: "", id: "" },
);

function call(method: "diff" | "diffConfig", request: DiffRequest): Promise<DiffResponse> {
  const service: UntypedServiceImplementation = serviceOf(instance);
  return new Promise((resolve, reject) => {
    (service[method] as handleUnaryCall<DiffRequest, DiffResponse>)({ request } as never, (error, response) =>
      error ? reject(new Error(String((error as { details?: string }).details))) : resolve(response as DiffResponse),
    );
  });
}

const recorded = { __version: 1, __origin: baseUrl, organizationId: "acme" };
const kinds = new Map(Object.entries(PropertyDiff.Kind).map(([name, kind]) => [kind, name]));

async function changesOf(type: string, state: Properties, news: Properties, secrets: string[] = []): Promise<string[]> {
  const request = new DiffRequest()
    .setUrn(`urn:pulumi:test::project::docs:index:${type}::test`)
    .setId("id")
    .setOlds(sent({ ...recorded, ...state }))
    .setNews(sent(news, new Set(secrets)));
  const answer = await call("diff", request);
  const found: string[] = [];
  answer.getDetaileddiffMap().forEach((change, path) => {
    found.push(`${path} ${kinds.get(change.getKind())}`);
  });
  return found.sort();
}

it("names each changed property, and each changed entry of a map", async () => {
  const members = { user_ada: "owner", "bea@acme.test": "member", user_cem: "member" };
  const changed = { user_ada: "member", "bea@acme.test": "member", user_dana: "member" };
  expect(await changesOf("TeamMembers", { teamId: "team_a", members }, { teamId: "team_a", members: changed })).toEqual(
    ["members.user_ada UPDATE", "members.user_cem DELETE", "members.user_dana ADD"],
  );
  const roles = { "ada@acme.test": "edit" };
  expect(await changesOf("MemberRoles", { roles }, { roles: { "ada@acme.test": "read" } })).toEqual([
    'roles["ada@acme.test"] UPDATE',
  ]);
  const site = { title: "Guide", visibility: "public" };
  expect(await changesOf("Site", site, { title: "Guide", published: true })).toEqual([
    "published ADD",
    "visibility DELETE",
  ]);
  expect(await changesOf("Site", site, site)).toEqual([]);
});

it("writes each name as the engine reads it, and leaves out one that it cannot read", async () => {
  const claims = (type: string, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [name, { type, description: "A claim" }]));
  const names = ['b"c', "d]e[", "", String.raw`f\"g`, String.raw`h\i`];
  const of = (type: string, ...more: string[]) => ({ siteId: "site_a", claims: claims(type, ...names, ...more) });
  expect(await changesOf("SiteAdaptiveSchema", of("string"), of("boolean"))).toEqual([
    'claims[""].type UPDATE',
    String.raw`claims["b\"c"].type UPDATE`,
    'claims["d]e["].type UPDATE',
    String.raw`claims["f\\"g"].type UPDATE`,
    String.raw`claims["h\i"].type UPDATE`,
  ]);
  // A text that ends with a backslash cannot be written raw.
  const last = "a\\";
  expect(await changesOf("SiteAdaptiveSchema", of("string", last), of("boolean", last))).toEqual(["claims UPDATE"]);
});

it("names no entry of a secret property, because the engine shows paths as they are", async () => {
  const [before, after] = ["hushed@x.test", "also-hushed@x.test"].map((user) => ({ roles: { [user]: "edit" } }));
  expect(await changesOf("MemberRoles", before ?? {}, after ?? {}, ["roles"])).toEqual(["roles UPDATE"]);
  expect(await changesOf("Site", { title: "A1" }, { title: "A1", proxy: "a.test" }, ["proxy"])).toEqual(["proxy ADD"]);
});

it("marks what replaces the resource", async () => {
  const membership = { teamId: "team_a", user: "user_ada" };
  expect(await changesOf("TeamMembership", membership, { ...membership, teamId: "team_b" })).toEqual([
    "teamId UPDATE_REPLACE",
  ]);
});

it("never replaces a provider object: the engine would replace all of its resources without a call of Diff", async () => {
  const olds = sent({ baseUrl, organizationId: "acme", token: "tok_1" });
  for (const news of [{}, { baseUrl: "https://other.example", organizationId: "beta" }]) {
    const answer = await call("diffConfig", new DiffRequest().setOldInputs(olds).setNews(sent(news)));
    expect([answer.getChanges(), answer.getReplacesList()]).toEqual([DiffResponse.DiffChanges.DIFF_SOME, []]);
    expect(answer.getDeletebeforereplace()).toBe(false);
  }
  const same = await call("diffConfig", new DiffRequest().setOldInputs(olds).setNews(olds));
  expect(same.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
});
