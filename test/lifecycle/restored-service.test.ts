import { describe, expect, it } from "vitest";
import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { rows } from "../states/everything";
import { SeededService } from "../support/seeded-service";

/** A service that was restored from a backup between two runs: what the state has is gone, older, or another thing. */

const service = new SeededService();
const handler = (name: ResourceName) => service.handler(name);

/** What a run before has recorded of the resource; then another run begins. */
async function recorded(name: ResourceName): Promise<{ id: string; state: Properties; declares: Properties }> {
  const { id, declares } = rows.find(({ resource }) => resource === name) ?? expect.unreachable(name);
  const read = await handler(name).read?.(id, declares);
  service.anotherRun();
  return { id, state: read?.props ?? {}, declares };
}

const things = {
  Site: { id: "site_product", kept: "sites", name: { title: "Finance" }, change: { title: "Renamed" } },
  SamlProvider: { id: "saml_acme", kept: "saml", name: { label: "Finance" }, change: { label: "Renamed" } },
  Translation: {
    id: "translation_fr",
    kept: "translations",
    name: { language: "de" },
    change: { instructions: "Be brief." },
  },
} as const;
const names = Object.keys(things) as (keyof typeof things)[];
const collection = (name: keyof typeof things) =>
  service.organization[things[name].kept] as unknown as Map<string, object>;

describe.each(names)("%s", (name) => {
  const { id, change } = things[name];
  const replace = (properties: object) => Object.assign(collection(name).get(id) ?? expect.unreachable(), properties);

  it("that is gone is read as gone, and its deletion succeeds", async () => {
    const { state } = await recorded(name);
    collection(name).delete(id);
    expect(await handler(name).read?.(id, state)).toMatchObject({ id: "" });
    await handler(name).delete?.(id, state);
  });

  it("whose id another object has now is refused, and that object stays unchanged", async () => {
    const { state, declares } = await recorded(name);
    replace({ ...things[name].name, createdAt: "2026-06-01T00:00:00.000Z" });
    const reason = new RegExp(`${id} is not the one in the state: .*If the service was restored from a backup`);
    await expect(handler(name).read?.(id, state)).rejects.toThrow(reason);
    await expect(handler(name).update?.(id, state, { ...declares, ...change })).rejects.toThrow(reason);
    await expect(handler(name).delete?.(id, state)).rejects.toThrow(reason);
    expect(service.lying.writes()).toEqual([]);
    expect(collection(name).has(id)).toBe(true);
  });

  it.each([
    ["an older name", things[name].name],
    ["another time of creation", { createdAt: "2026-06-01T00:00:00.000Z" }],
  ])("that has %s is the same one", async (_, older) => {
    const { state } = await recorded(name);
    replace(older);
    expect(await handler(name).read?.(id, state)).toMatchObject({ id });
    await handler(name).delete?.(id, state);
    expect(collection(name).has(id)).toBe(false);
  });
});

describe("people", () => {
  it("who are no longer in any team are read as gone, and nobody else is removed", async () => {
    const { id, state } = await recorded("TeamMembership");
    const team = service.organization.teams.get(String(state.teamId)) ?? expect.unreachable();
    const others = [...team.members.keys()].filter((userId) => userId !== state.userId);
    team.members.delete(String(state.userId));
    expect(await handler("TeamMembership").read?.(id, state)).toMatchObject({ id: "" });
    await handler("TeamMembership").delete?.(id, state);
    expect(service.lying.writes()).toEqual([]);
    expect([...team.members.keys()]).toEqual(others);
  });

  it("whose older roles were restored are drift, and a destroy raises nobody", async () => {
    const { id, state } = await recorded("MemberRole");
    const member = service.organization.members.get(String(state.userId)) ?? expect.unreachable();
    Object.assign(member, { role: "read" });
    expect(await handler("MemberRole").read?.(id, state)).toMatchObject({ id, props: { role: "read" } });
    await handler("MemberRole").delete?.(id, { ...state, previousRole: "admin" });
    expect(service.lying.writes()).toEqual([]);
  });
});
