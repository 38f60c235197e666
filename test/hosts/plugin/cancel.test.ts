import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RowName } from "../../../provider/api/endpoints";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { calledResource } from "../../../provider/hosts/plugin/called-resource";
import { Instance } from "../../../provider/hosts/plugin/instance";
import type { Properties } from "../../../provider/run/properties";
import { failureOf } from "../../support/failure";
import type { PartialFailure } from "../../support/protocol-provider";

let emulator: Emulator;
let instance: Instance;
beforeEach(async () => {
  emulator = await startEmulator();
  const { url: baseUrl, token, organizationId } = emulator;
  // A refusal would wait longer than the test.
  instance = new Instance({ version: "0.0.0", environment: {}, patience: 120_000 });
  const properties = { baseUrl, token, organizationId };
  instance.configure({ properties, secrets: new Set(["token"]) }, { name: "default", urn: "", id: "" });
});
afterEach(() => emulator.close());

const called = (resource: string) =>
  calledResource(`urn:pulumi:test::test::docs:index:${resource}::one`, instance.beginCall());
const create = (resource: string, inputs: Properties) =>
  instance.configured().resources.create(called(resource), inputs);
const writes = () => emulator.log.filter(({ method }) => method !== "GET");

/** Cancels when the call has sent so many requests of a row. Returns the failure of the call, and how long it took to fail. */
async function cancelled(call: Promise<unknown>, row: RowName, requests = 1) {
  const failing = failureOf(call);
  await expect.poll(() => emulator.requests()[row] ?? 0, { interval: 5, timeout: 10_000 }).toBe(requests);
  const since = performance.now();
  instance.cancel();
  return {
    failure: (await failing) as PartialFailure & { id?: string; properties?: Properties },
    took: performance.now() - since,
  };
}

describe("a cancellation ends at once", () => {
  it("a wait for the service's limit, and says that the request was not sent", async () => {
    emulator.fault({ row: "createSite", status: 429, headers: { "retry-after": "60" } });
    const { failure, took } = await cancelled(create("Site", { title: "Handbook 2" }), "createSite");
    expect(failure.message).toHaveWording("a cancelled request");
    expect(took).toBeLessThan(500);
  });

  it("the pause before a request is repeated, and names the last answer", async () => {
    emulator.fault({ row: "listSites", status: 503, times: 10 });
    const { failure, took } = await cancelled(create("Site", { title: "Handbook 2" }), "listSites", 3);
    expect(failure.message).toHaveWording("a cancelled repetition");
    expect(took).toBeLessThan(500);
    expect(writes()).toEqual([]);
  });

  it("the wait for another administrator, before anything is sent", async () => {
    emulator.state.organizations.get("acme")?.members.delete("user_bea");
    const { failure, took } = await cancelled(create("MemberRole", { user: "user_ada", role: "edit" }), "listMembers");
    expect(failure.message).toMatch(/before the request was/);
    expect(took).toBeLessThan(500);
    expect(writes()).toEqual([]);
  });

  it("the wait for the declaration of a recorded site with the same title", async () => {
    const { resources } = instance.configured();
    const { id, state } = await create("Site", { title: "Handbook 2" });
    await resources.read(called("Site"), id, state, { title: "Handbook 2" });
    emulator.resetRequests();
    const call = create("Site", { title: "Handbook 2" });
    const failing = call.catch((error: Error) => error.message);
    instance.cancel();
    expect(await failing).toMatch(/before the request was/);
    expect(emulator.log).toEqual([]);
  });
});

it("a role that a request in flight takes from an administrator is recorded, although the check after it is not sent", async () => {
  emulator.fault({ row: "updateMember", delay: 200 });
  const { failure } = await cancelled(create("MemberRole", { user: "user_ada", role: "edit" }), "updateMember");
  expect(failure.message).toHaveWording("a cancelled check of a change");
  expect(failure).toMatchObject({ id: "user_ada", properties: { role: "edit", previousRole: "admin" } });
  expect(writes().map(({ row }) => row)).toEqual(["updateMember"]);
});
