import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import type { OrganizationRecord } from "../../../provider/emulator/store/state";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { shortenPauses } from "../../support/fast-timers";
import { holds } from "../cases";
import { Attempt } from "../random/attempt";
import { differing, expectedAccess } from "../random/expected";
import { declarationFor, seeds } from "../random/organizations";
import { CommandFailed, type FaultStack } from "../stack";

/** A state from before further ups, restored with `pulumi stack import`: what is live is newer than what is recorded. */

shortenPauses(20);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const cases = seeds.chain((one) =>
  fc.record({
    seed: fc.constant(one),
    files: fc.array(declarationFor(one, "acme"), { minLength: 2, maxLength: 4 }),
    /** The up after which the backup was made. */
    backup: fc.nat(),
    /** Whether the declared sites were deleted and created again later. */
    recreated: fc.boolean(),
  }),
);

/** Whether the up went through. A file that a guard refuses changes nothing. */
async function bringAbout(attempt: Attempt, file: OrganizationFile): Promise<boolean> {
  if ((await attempt.refusal(attempt.textOf(file))) !== undefined) return false;
  await attempt.stack.up();
  return true;
}

/**
 * Brings the files about one after another. Returns the last one that went through, and the state after each; no last one if an up
 * failed.
 */
async function history(attempt: Attempt, files: readonly OrganizationFile[]) {
  const done: OrganizationFile[] = [];
  const backups: ReturnType<typeof backupOf>[] = [];
  try {
    for (const file of files) {
      if (!(await bringAbout(attempt, file))) continue;
      done.push(file);
      backups.push(backupOf(attempt.stack));
    }
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    return { last: undefined, backups };
  }
  return { last: done.at(-1), backups };
}

const backupOf = ({ recorded }: FaultStack) => structuredClone([...recorded]);

function restore({ recorded }: FaultStack, backup: ReturnType<typeof backupOf>): void {
  recorded.clear();
  for (const [name, one] of structuredClone(backup)) recorded.set(name, one);
}

/** Who has what, by key of `Access`. Throws if a role or a team of the file is not live. */
function declaredAccess(file: OrganizationFile, attempt: Attempt): ReadonlyMap<string, string> {
  if (differing(file, attempt.organization, attempt.stack).some((one) => /^(Member|Team)/.test(one)))
    throw new Error("what is declared is not live");
  return new Map(Object.entries(attempt.service.access()));
}

/** The ids that a refusal says to name in DOCS_TAKE_OVER. */
const named = (message: string): string => /DOCS_TAKE_OVER=(\S+) in its environment/.exec(message)?.[1] ?? "";

const countOf = ({ sites, saml, translations }: OrganizationRecord) => sites.size + saml.size + translations.size;

/** Runs up until it ends clean, doing what its refusals say. */
async function follow(attempt: Attempt): Promise<number> {
  for (let refusals = 0; ; refusals++) {
    const failure: unknown = await attempt.stack.up().then(
      () => undefined,
      (error: unknown) => error,
    );
    attempt.service.takeOver = "";
    if (failure === undefined) return refusals;
    expect(failure).toBeInstanceOf(CommandFailed);
    const { message } = failure as CommandFailed;
    expect(message).toMatch(/DOCS_TAKE_OVER=\S+ in its environment/);
    expect(refusals).toBeLessThan(6);
    attempt.service.takeOver = named(message);
  }
}

/** The declared sites are deleted and created again by somebody, so that they have other ids. */
function recreate({ organization, stack }: Attempt): void {
  for (const [name, { resource, id, properties }] of stack.recorded) {
    const site = resource === "Site" && organization.sites.get(id);
    if (!site) continue;
    organization.sites.delete(id);
    const again = { ...structuredClone(site), id: `${id}again`, createdAt: new Date().toISOString() };
    organization.sites.set(again.id, again);
    stack.recorded.set(name, { resource, id: again.id, properties, partial: false });
  }
}

it("that is older than what is live converges, or refuses with the command that ends clean", async () => {
  let [older, refused, skipped] = [0, 0, 0];
  const counts = () => `, ${older} restored, ${refused} of them refused first, ${skipped} could not be`;
  await holds(
    { title: "old backups of the state", cases: { dynamic: 40, plugin: 16 }, lanes: 8, counts },
    fc.asyncProperty(cases, async ({ seed, files, backup, recreated }) => {
      const attempt = await Attempt.start(emulator, seed);
      try {
        const { last, backups } = await history(attempt, files);
        // Any but the newest one.
        const old = backups[backup % Math.max(1, backups.length - 1)];
        if (!last || backups.length < 2 || !old) {
          skipped++;
          return;
        }
        older++;
        if (recreated) recreate(attempt);
        const [declared, count] = [declaredAccess(last, attempt), countOf(attempt.organization)];
        restore(attempt.stack, old);
        attempt.service.history.length = 0;
        if ((await attempt.refusal(attempt.textOf(last))) !== undefined) {
          skipped++;
          return;
        }
        if ((await follow(attempt)) > 0) refused++;
        expect(differing(last, attempt.organization, attempt.stack)).toEqual([]);
        expect(await attempt.stack.preview()).toEqual([]);
        // No second object, and every object of the file is recorded once.
        expect(countOf(attempt.organization)).toBe(count);
        const ids = [...attempt.stack.recorded].map(([name, { id }]) => `${name.split(" ")[0]} ${id}`);
        expect(new Set(ids).size).toBe(ids.length);
        // What the file declares and was live all the time was never taken away.
        const { roles, teams } = expectedAccess(attempt.organization);
        expect(roles.get("user_ada")).toBe("admin");
        const kept = [...declared].filter(([key, role]) => attempt.service.access()[key] === role);
        const taken = attempt.service.history.flatMap((during) => kept.filter(([key, role]) => during[key] !== role));
        expect(taken).toEqual([]);
        expect(teams.size).toBeGreaterThan(0);
      } finally {
        await attempt.stop();
      }
    }),
  );
});
