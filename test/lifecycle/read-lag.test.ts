import { afterEach, describe, expect, it } from "vitest";
import type { RowName } from "../../provider/api/endpoints";
import { type Emulator, type ReadLag, type Seed, startEmulator } from "../../provider/emulator";
import type { ResourceName } from "../../provider/resources/names";
import { latest, rows, seedOfVersion } from "../states/everything";
import { TestClock } from "../support/clock";
import { failureOf } from "../support/failure";
import { LyingService } from "../support/lying-service";
import type { PartialFailure, Properties } from "../support/protocol-provider";
import { host, type ProviderOfRun, startRun } from "../support/provider";
import { oneOfToday } from "../support/today";

/**
 * A service whose reads are answered with what was there seconds ago. The clock of the tests moves only when a run waits, so reads
 * stay old for as long as nobody waits.
 */

const organizationId = "acme";
const teamId = "team_writers";
let emulator: Emulator;
let lying: LyingService;
let clock: TestClock;
const runs: ProviderOfRun[] = [];

afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.stop()));
  await lying.close();
  await emulator.close();
});

async function start(readLag: ReadLag, seed?: Seed): Promise<void> {
  clock = new TestClock();
  emulator = await startEmulator({ organizationId, now: clock.date, readLag, ...(seed && { seed }) });
  lying = await LyingService.start(emulator.url);
}

/** One engine command of one stack: a run of its own, at an emulator that other runs change as well. */
async function command(environment: NodeJS.ProcessEnv = {}): Promise<(resource: ResourceName) => ProviderOfRun> {
  const config = { "docs:baseUrl": lying.url, "docs:token": emulator.token, "docs:organizationId": organizationId };
  const run = await startRun("Site", { config, environment, clock });
  runs.push(run);
  return (resource) => run.of(resource);
}

interface Recorded {
  readonly id: string;
  readonly properties: Properties;
}

/** What `pulumi up` does with a resource: refresh, and a creation or an update if something differs. */
async function up(resource: ResourceName, inputs: Properties, recorded?: Recorded): Promise<Recorded> {
  const provider = (await command())(resource);
  const read = recorded && (await provider.read(recorded.id, recorded.properties));
  await provider.check(read?.inputs ?? {}, inputs);
  if (!recorded || !read) return provider.create(inputs);
  const { id } = recorded;
  const { changes } = await provider.diff(id, read.properties, inputs);
  return { id, properties: changes ? await provider.update(id, read.properties, inputs) : read.properties };
}

const claim = { type: "boolean", description: "A claim." };

const organization = () => emulator.state.organizations.get(organizationId) ?? expect.unreachable();
const roleOf = (userId: string) => organization().members.get(userId)?.role;
const administrators = () =>
  [...organization().members.values()].flatMap(({ id, role }) => (role === "admin" ? [id] : [])).sort();
const teamRoles = () =>
  Object.fromEntries([...(organization().teams.get(teamId)?.members ?? [])].map(([id, { role }]) => [id, role]));
const writes = () => emulator.log.filter(({ method }) => method !== "GET").map(({ method, path }) => [method, path]);
const titles = () => [...organization().sites.values()].map(({ title }) => title).filter((title) => title === "New");
const failure = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).message;

const lags = [2, 10, 28].flatMap((seconds): [string, ReadLag][] => [
  [`lists lag ${seconds} s`, { lists: seconds * 1000 }],
  [`all reads lag ${seconds} s`, { all: seconds * 1000 }],
]);

/** With the plugin, the run of a handler is the same, and only its start differs. */
const lagsOfHost = host === "plugin" ? oneOfToday(lags) : lags;

describe.each(lagsOfHost)("if %s", (_, lag) => {
  it("a site is created once, although the next runs read at once", async () => {
    await start(lag);
    const site = { title: "New", visibility: "unlisted", published: true };
    const first = await up("Site", site);
    const second = await up("Site", site, first);
    expect(second.id).toBe(first.id);
    const changed = await up("Site", { ...site, visibility: "share-link" }, second);
    expect((await up("Site", { ...site, visibility: "share-link" }, changed)).properties).toMatchObject({
      visibility: "share-link",
      published: true,
    });
    expect(titles()).toEqual(["New"]);
    expect(writes().filter(([method]) => method === "PATCH")).toHaveLength(1);
    await (await command())("Site").delete(first.id, changed.properties);
    expect(titles()).toEqual([]);
  });

  it("an administrator by mistake is lowered by a revert at once", async () => {
    await start(lag);
    const roles = { user_ines: "edit" };
    const before = await up("MemberRoles", { roles });
    const mistake = await up("MemberRoles", { roles: { user_ines: "admin" } }, before);
    expect(roleOf("user_ines")).toBe("admin");
    const reverted = await up("MemberRoles", { roles }, mistake);
    expect(roleOf("user_ines")).toBe("edit");
    await up("MemberRoles", { roles: { user_ines: "admin" } }, reverted);
    expect(roleOf("user_ines")).toBe("admin");
  });

  it("the previous role of a person who comes back is not an older one, also if another change lies between", async () => {
    await start(lag);
    const roles = { user_ada: "admin", user_bea: "admin", user_cem: "create", user_dana: "create", user_eli: "review" };
    const declared = { roles, onRelease: "restore" };
    const raised = await up("MemberRoles", { ...declared, roles: { ...roles, user_hugo: "admin" } });
    // Still within the settle time.
    await clock.sleep(29_000);
    const left = await up("MemberRoles", declared, raised);
    const other = { ...roles, user_eli: "edit" };
    const changed = await up("MemberRoles", { ...declared, roles: other }, left);
    const back = await up("MemberRoles", { ...declared, roles: { ...other, user_hugo: "edit" } }, changed);
    expect(back.properties.previousRoles).toMatchObject({ user_hugo: "comment" });
  });

  it("two stacks that lower one administrator each, one after the other, leave one", async () => {
    await start(lag);
    await up("MemberRole", { user: "user_ada", role: "edit" });
    expect(await failure(up("MemberRole", { user: "user_bea", role: "edit" }))).toMatch(/last administrator/);
    expect(administrators()).toEqual(["user_bea"]);
  });

  it("the role of the last administrator is handed over, in one run and in two", async () => {
    await start(lag);
    await up("MemberRole", { user: "user_bea", role: "edit" });
    const handed = await up("MemberRoles", { roles: { user_ines: "admin", user_ada: "edit" } });
    expect(administrators()).toEqual(["user_ines"]);
    const both = await up("MemberRoles", { roles: { user_ines: "admin", user_ada: "admin" } }, handed);
    await up("MemberRoles", { roles: { user_ines: "edit", user_ada: "admin" } }, both);
    expect(administrators()).toEqual(["user_ada"]);
  });

  it("a team gets and loses people, and another owner", async () => {
    await start(lag);
    const first = { user_cem: "owner", user_dana: "member", user_ines: "member" };
    const made = await up("TeamMembers", { teamId, members: first, exclusive: true });
    expect(teamRoles()).toEqual(first);
    const second = { user_dana: "owner", user_ines: "member", user_hugo: "member" };
    const changed = await up("TeamMembers", { teamId, members: second }, made);
    expect(teamRoles()).toEqual(second);
    expect((await up("TeamMembers", { teamId, members: second }, changed)).properties.members).toEqual(second);
    const back = await up("TeamMembers", { teamId, members: first }, changed);
    expect(teamRoles()).toEqual(first);
    await (await command())("TeamMembers").delete(back.id, back.properties);
    expect(teamRoles()).toEqual({});
  });

  it.each<[ResourceName, Properties, Properties]>([
    ["SiteAdaptiveSchema", { claims: { beta: claim } }, { claims: { gamma: claim } }],
    [
      "SiteStructureOrder",
      { order: ["group_developers", "section_guides"] },
      { order: ["section_guides", "group_developers"] },
    ],
    ["Site", { defaultSpace: "reference" }, { defaultSpace: "guides" }],
  ])("%s of a site that was made just now is read as it was written", async (resource, first, second) => {
    await start(lag);
    const site = { title: "New", published: true, spaces: ["guides", "reference"] };
    const { id: siteId } = resource === "SiteStructureOrder" ? { id: "site_product" } : await up("Site", site);
    const inputs = resource === "Site" ? { ...site, allowDuplicate: true, title: "Other" } : { siteId };
    const made = await up(resource, { ...inputs, ...first });
    emulator.resetRequests();
    const same = await up(resource, { ...inputs, ...first }, made);
    expect(writes()).toEqual([]);
    const changed = await up(resource, { ...inputs, ...second }, same);
    emulator.resetRequests();
    expect((await up(resource, { ...inputs, ...second }, changed)).properties).toMatchObject(second);
    expect(writes()).toEqual([]);
  });

  it("a membership is given, raised, handed to another person and removed", async () => {
    await start(lag);
    const made = await up("TeamMembership", { teamId, user: "user_hugo" });
    expect((await up("TeamMembership", { teamId, user: "user_hugo" }, made)).id).toBe(made.id);
    const owner = await up("TeamMembership", { teamId, user: "user_hugo", role: "owner" }, made);
    const other = await up("TeamMembership", { teamId, user: "user_ines", role: "owner" }, owner);
    expect(teamRoles()).toMatchObject({ user_ines: "owner" });
    expect(teamRoles()).not.toHaveProperty("user_hugo");
    await (await command())("TeamMembership").delete(other.id, other.properties);
    expect(teamRoles()).not.toHaveProperty("user_ines");
  });
});

const oneLag = lags.filter(([name]) => name.endsWith(" 10 s"));

describe.each(oneLag)(
  "a role that is restored because another process took it from everybody else, if %s",
  (_, lag) => {
    const roleTaken = () => Object.assign(organization().members.get("user_bea") ?? {}, { role: "read" });
    const dana = () => organization().teams.get(teamId)?.members.get("user_dana") ?? {};
    const administrator = { user: "user_ada", role: "admin", onRelease: "guest" };
    const owner = { teamId, user: "user_cem", role: "owner" };
    const remove = async (resource: ResourceName, _: Properties, { id, properties }: Recorded) => {
      const provider = (await command())(resource);
      // A run that declares something is not a destroy.
      await provider.check({}, { ...properties, user: "user_ines" });
      await provider.delete(id, properties);
    };
    type Change = (resource: ResourceName, inputs: Properties, before: Recorded) => Promise<unknown>;

    describe.each<[ResourceName, Properties, Properties, RowName, () => void]>([
      ["MemberRole", administrator, { ...administrator, role: "edit" }, "updateMember", roleTaken],
      [
        "TeamMembership",
        owner,
        { ...owner, role: "member" },
        "putTeamMember",
        () => Object.assign(dana(), { role: "member" }),
      ],
    ])("%s", (resource, inputs, lowered, row, takeFromOthers) => {
      it.each<[string, Change]>([
        ["creation", (_, inputs) => up(resource, inputs)],
        ["update", up],
        ["deletion", remove],
      ])("is what the next run reads after a failed %s", async (_, change) => {
        await start({});
        Object.assign(dana(), { role: "owner" });
        const before = await up(resource, inputs);
        await clock.sleep(100_000);
        emulator.setReadLag(lag);
        for (const written of [row, "removeTeamMember"] as const)
          lying.on(written, ({ forward }) => forward().finally(takeFromOthers), 1);
        const { message, partial } = await failureOf(change(resource, lowered, before));
        expect(message).toMatch(/was restored/);
        const { id, properties } = partial ?? before;
        expect((await (await command())(resource).read(id, properties))?.properties).toMatchObject({
          role: inputs.role,
        });
      });
    });
  },
);

const tooLong: [string, ReadLag][] = [
  ["lists", { lists: 40_000 }],
  ["all reads", { all: 40_000 }],
];

/** The change of "cem" would take the last owner from a team. */
const changing = rows.filter(({ change, name }) => change && name !== "cem");

describe.each(changing)("$resource $name", ({ resource, id, declares, change }) => {
  const other = { ...declares, ...change };
  const begin = async (lag: ReadLag) => {
    await start(lag, await seedOfVersion(latest));
    const first = await (await command())(resource).read(id, declares);
    return { id, properties: first?.properties ?? expect.unreachable() };
  };

  it.each(oneLag)("is as declared after each of several runs without a pause, if %s", async (_, lag) => {
    const changed = await up(resource, other, await begin(lag));
    emulator.resetRequests();
    const same = await up(resource, other, changed);
    expect(writes()).toEqual([]);
    const back = await up(resource, declares, same);
    emulator.resetRequests();
    expect((await up(resource, declares, back)).properties).toMatchObject(declares);
    expect(writes()).toEqual([]);
  });

  it.each(tooLong)("is what was declared in the end, if %s lag for longer than the settle time", async (_, lag) => {
    let recorded = await begin(lag);
    for (const inputs of [other, declares, other, declares]) {
      const failed = (error: PartialFailure): Recorded => ({ ...recorded, ...error.partial });
      recorded = await up(resource, inputs, recorded).catch(failed);
    }
    await clock.sleep(100_000);
    const before = organization().sites.size;
    const last = await up(resource, declares, await up(resource, declares, recorded));
    expect(last.properties).toMatchObject(declares);
    expect(organization().sites.size).toBe(before);
  });
});

describe.each(tooLong)("if %s lag for longer than the settle time", (_, lag) => {
  it("a change that was made is not undone, and says what could not be checked", async () => {
    await start(lag);
    const work = up("MemberRole", { user: "user_ada", role: "edit" });
    if (lag.all) expect(await failure(work)).toHaveWording("reads that show the former role");
    else await work;
    expect(administrators()).toEqual(["user_bea"]);
  });
});

it("a list is not believed that another resource read before the state of this one was known", async () => {
  await start({ lists: 10_000 });
  const roles = { user_ada: "admin", user_bea: "admin", user_cem: "create", user_dana: "create", user_eli: "review" };
  const many = await up("MemberRoles", { roles });
  const one = await up("MemberRole", { user: "user_hugo", role: "edit" });
  const next = await command();
  await next("MemberRoles").read(many.id, many.properties);
  const read = await next("MemberRole").read(one.id, one.properties);
  expect(read?.inputs).toMatchObject({ role: "edit" });
});

it("a third value is somebody's change, and counts at once", async () => {
  await start({});
  const made = await up("MemberRole", { user: "user_hugo", role: "review" });
  Object.assign(organization().members.get("user_hugo") ?? expect.unreachable(), { role: "create" });
  const read = await (await command())("MemberRole").read(made.id, made.properties);
  expect(read?.inputs).toMatchObject({ role: "create" });
  expect(clock.waited).toBe(0);
});

describe.each([{}, { DOCS_TAKE_OVER: "site" }])("with %j", ({ DOCS_TAKE_OVER: isNamed }) => {
  const next = async (id: string) => (await command(isNamed ? { DOCS_TAKE_OVER: id } : {}))("Site");
  const createAgain = async (provider: ProviderOfRun) => {
    emulator.resetRequests();
    await provider.check({}, { title: "New" });
    return provider.create({ title: "New" });
  };

  it("an object that only lists still show is neither refused nor taken over", async () => {
    await start({ lists: 28_000 });
    const { id, properties } = await up("Site", { title: "New" });
    await clock.sleep(28_000);
    await (await command())("Site").delete(id, properties);
    expect((await createAgain(await next(id))).id).not.toBe(id);
    expect(writes()).toEqual([["POST", expect.anything()]]);
  });

  it("an object that only lists show so far is not created again", async () => {
    await start({ getSite: 10_000 });
    const { id } = await up("Site", { title: "New" });
    const again = createAgain(await next(id));
    if (isNamed) expect((await again).id).toBe(id);
    else expect(await failure(again)).toMatch(`already exists: ${id}`);
    expect(titles()).toEqual(["New"]);
  });

  it("an object that only lists show until the settle time is over is neither created again nor taken over", async () => {
    await start({ getSite: 40_000 });
    const { id } = await up("Site", { title: "New" });
    expect(await failure(createAgain(await next(id)))).toMatch(`404 to site ${id}, but still lists it`);
    expect(writes()).toEqual([]);
  });
});

describe("without a lag", () => {
  it("nothing waits, and the settle time adds no request", async () => {
    const requests: Record<string, number>[] = [];
    for (const environment of [{}, { DOCS_SETTLE: "0" }]) {
      await start({});
      const provider = await command(environment);
      const site = await provider("Site").create({ title: "New", published: true });
      const team = await provider("TeamMembers").create({
        teamId,
        members: { user_cem: "owner" },
        exclusive: true,
      });
      const next = await command(environment);
      await next("Site").read(site.id, site.properties);
      await next("TeamMembers").read(team.id, team.properties);
      await next("TeamMembers").delete(team.id, team.properties);
      await next("Site").delete(site.id, site.properties);
      requests.push(emulator.requests());
      expect(clock.waited).toBe(0);
      if (requests.length > 1) continue;
      await lying.close();
      await emulator.close();
    }
    expect(requests[0]).toEqual(requests[1]);
  });
});

it("refuses a settle time that is no number of seconds, before the first request", async () => {
  await start({});
  const work = command({ DOCS_SETTLE: "soon" }).then((provider) => provider("Site").create({ title: "New" }));
  expect(await failure(work)).toHaveWording("a settle time that is no number");
  expect(emulator.log).toEqual([]);
});
