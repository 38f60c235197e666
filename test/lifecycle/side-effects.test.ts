import { expect, it } from "vitest";
import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { rows } from "../states/everything";
import { failureOf } from "../support/failure";
import { SeededService } from "../support/seeded-service";

/** A write that changes something else as well: an error if the answer says so, and drift at the next refresh if it does not. */

const service = new SeededService();
const handler = (name: ResourceName) => service.handler(name);

async function recorded(name: ResourceName, id: string, declares: Properties) {
  const { props = {} } = (await handler(name).read?.(id, declares)) ?? {};
  service.anotherRun();
  return props;
}
const declaresOf = (name: ResourceName) => rows.find(({ resource }) => resource === name) ?? expect.unreachable(name);

const handbook = { title: "Handbook", visibility: "unlisted" };
const live = () => service.organization.sites.get("site_handbook") ?? expect.unreachable();

it("a side effect on another property that the answer shows is an error, and the state has the live values", async () => {
  const state = await recorded("Site", "site_handbook", handbook);
  service.lying.on("updateSite", ({ request }) => void Object.assign(request.body ?? {}, { visibility: "public" }));
  const failed: Error & { properties?: Properties } = await failureOf(
    handler("Site").update("site_handbook", state, { ...handbook, title: "Renamed" }),
  );
  expect(failed.message).toHaveWording("a side effect of the service");
  expect(failed.properties).toMatchObject({ title: "Renamed", visibility: "public" });
});

it("a side effect on another property that the answer hides is drift at the next refresh", async () => {
  const state = await recorded("Site", "site_handbook", handbook);
  service.lying.on("updateSite", async ({ forward }) => {
    const answer = await forward();
    Object.assign(live(), { visibility: "public" });
    return answer;
  });
  const news = { ...handbook, title: "Renamed" };
  const { outs = {} } = (await handler("Site").update?.("site_handbook", state, news)) ?? {};
  service.anotherRun();
  const read = await handler("Site").read?.("site_handbook", outs);
  expect(read?.inputs).toEqual({ ...news, visibility: "public" });
});

it.each<[ResourceName, Properties]>([
  ["MemberRole", { user: "user_femi", role: "comment" }],
  ["MemberRoles", { roles: { user_femi: "comment" } }],
])("a side effect of %s on another person's role is drift of the resource for that person", async (name, change) => {
  const { id, declares } = declaresOf(name);
  const state = await recorded(name, id, name === "MemberRole" ? declares : { roles: { user_femi: "edit" } });
  const bystander = { user: "user_ada", role: "admin" };
  const other = await recorded("MemberRole", "user_ada", bystander);
  service.lying.on("updateMember", async ({ forward }) => {
    const answer = await forward();
    Object.assign(service.organization.members.get("user_ada") ?? expect.unreachable(), { role: "read" });
    return answer;
  });
  await handler(name).update?.(id, state, change);
  service.anotherRun();
  expect((await handler("MemberRole").read?.("user_ada", other))?.inputs).toEqual({ ...bystander, role: "read" });
});
