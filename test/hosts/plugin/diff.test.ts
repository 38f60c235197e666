import type { handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import { DiffRequest, DiffResponse } from "@pulumi/pulumi/proto/provider_pb.js";
import { expect, it } from "vitest";
import { Instance } from "../../../provider/hosts/plugin/instance";
import { serviceOf } from "../../../provider/hosts/plugin/service";
import { toStruct } from "../../../provider/hosts/plugin/values";
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
async function diffOf(type: string, state: Properties, news: Properties): Promise<DiffResponse.AsObject> {
  const request = new DiffRequest()
    .setUrn(`urn:pulumi:test::project::docs:index:${type}::test`)
    .setId("id")
    .setOlds(toStruct({ ...recorded, ...state }))
    .setNews(toStruct(news));
  return (await call("diff", request)).toObject();
}

it("names each changed property, whose entries the engine compares itself", async () => {
  const [before, after] = [{ "ada@acme.test": "edit" }, { "ada@acme.test": "read" }];
  expect(await diffOf("MemberRoles", { roles: before }, { roles: after })).toMatchObject({ diffsList: ["roles"] });
  expect(await diffOf("MemberRoles", { roles: before }, { roles: { "ADA@acme.test": "edit" } })).toMatchObject({
    changes: DiffResponse.DiffChanges.DIFF_NONE,
    diffsList: [],
  });
  const site = { title: "Guide", visibility: "public" };
  expect(await diffOf("Site", site, { title: "Guide", published: true })).toMatchObject({
    diffsList: ["visibility", "published"],
    replacesList: [],
  });
});

it("marks what replaces the resource", async () => {
  const membership = { teamId: "team_a", user: "user_ada" };
  expect(await diffOf("TeamMembership", membership, { ...membership, teamId: "team_b" })).toMatchObject({
    diffsList: ["teamId"],
    replacesList: ["teamId"],
  });
});

it("never replaces a provider object: the engine would replace all of its resources without a call of Diff", async () => {
  const olds = toStruct({ baseUrl, organizationId: "acme", token: "tok_1" });
  for (const news of [{}, { baseUrl: "https://other.example", organizationId: "beta" }]) {
    const answer = await call("diffConfig", new DiffRequest().setOldInputs(olds).setNews(toStruct(news)));
    expect([answer.getChanges(), answer.getReplacesList()]).toEqual([DiffResponse.DiffChanges.DIFF_SOME, []]);
    expect(answer.getDeletebeforereplace()).toBe(false);
  }
  const same = await call("diffConfig", new DiffRequest().setOldInputs(olds).setNews(olds));
  expect(same.getChanges()).toBe(DiffResponse.DiffChanges.DIFF_NONE);
});
