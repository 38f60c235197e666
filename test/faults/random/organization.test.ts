import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { putInTeam } from "../../../provider/emulator/members/record";
import type { Organization } from "../../../provider/emulator/store/state";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { shortenPauses } from "../../support/fast-timers";
import { host } from "../../support/provider";
import { holds } from "../cases";
import { Attempt } from "./attempt";
import { differing, expectedAfter, linesOf, type Managed, nothingManaged } from "./expected";
import { type Change, changes, declarationFor, seed, userOf } from "./organizations";

shortenPauses(20);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** Makes the change as a person does who uses the service's user interface. */
function make(change: Change, { members, teams, sites, saml, translations }: Organization): void {
  if (change.kind === "role") {
    const member = members.get(userOf(change.number));
    if (member) member.role = change.role;
  } else if (change.kind === "team") {
    const [team, user] = [teams.get(change.team), userOf(change.number)];
    if (!team || !members.has(user)) return;
    if (change.role) putInTeam(team, user, change.role);
    else team.members.delete(user);
  } else if (change.kind === "site") {
    const site = [...sites.values()][change.which % Math.max(1, sites.size)];
    if (!site) return;
    if (change.gone) sites.delete(site.id);
    site.title = change.title ?? site.title;
    site.published = change.published ?? site.published;
  } else if (change.kind === "saml") {
    const provider = [...saml.values()][change.which % Math.max(1, saml.size)];
    if (!provider) return;
    if (change.gone) saml.delete(provider.id);
    provider.label = change.label;
  } else {
    const translation = [...translations.values()][change.which % Math.max(1, translations.size)];
    if (!translation) return;
    if (change.gone) translations.delete(translation.id);
    else translation.instructions = { object: "document", data: { schemaVersion: 1 }, nodes: [] };
  }
}

const cases = seed.chain((one) =>
  fc.record({
    seed: fc.constant(one),
    first: declarationFor(one, "acme"),
    outside: changes,
    second: declarationFor(one, "acme"),
  }),
);

let [ups, drifted, refused] = [0, 0, 0];

async function isRefused(attempt: Attempt, file: OrganizationFile): Promise<boolean> {
  const refusal = await attempt.refusal(attempt.textOf(file));
  if (refusal !== undefined) refused++;
  return refusal !== undefined;
}

/** Runs the up of a file; what is live afterwards is what an independent model expects. */
async function bringAbout(attempt: Attempt, file: OrganizationFile, managed: Managed): Promise<Managed | undefined> {
  const expected = expectedAfter(file, attempt.organization, attempt.access(), managed);
  if (await isRefused(attempt, file)) return undefined;
  await attempt.stack.up();
  ups++;
  expect(linesOf(attempt.access())).toEqual(linesOf(expected.access));
  expect(differing(file, attempt.organization, attempt.stack)).toEqual([]);
  expect(await attempt.stack.preview()).toEqual([]);
  return expected.managed;
}

it("equals its declaration after up, and again after changes outside Pulumi, which a preview shows", async () => {
  const counts = () => `, ${ups} ups, ${drifted} changed outside Pulumi, ${refused} refused`;
  await holds(
    { title: "random organizations", cases: host === "plugin" ? 16 : 80, lanes: 4, counts },
    fc.asyncProperty(cases, async ({ seed, first, outside, second }) => {
      const attempt = await Attempt.start(emulator, seed);
      try {
        const managed = await bringAbout(attempt, first, nothingManaged);
        if (!managed) return;
        for (const one of outside) make(one, attempt.organization);
        const others = attempt.others();
        const changed = differing(first, attempt.organization, attempt.stack);
        if (changed.length > 0) drifted++;
        if (await isRefused(attempt, first)) return;
        expect((await attempt.stack.preview()).sort()).toEqual(changed);
        const again = await bringAbout(attempt, first, managed);
        expect(attempt.others()).toEqual(others);
        if (again) await bringAbout(attempt, second, again);
      } finally {
        await attempt.stop();
      }
    }),
  );
});
