import { expect, it } from "vitest";
import { pluginStack } from "../../scripts/plugin-stack";
import type { ResourceState } from "../../scripts/stack";
import { engineBench, program } from "./bench";
import { moved } from "./plugin/plugin-stack";

const teamId = "teamWithALongEnoughI";
const bench = engineBench({
  organizationId: "bench-acme",
  seed: { organizations: { "bench-acme": { title: "Acme", teams: [{ id: teamId }] } } },
  size: { members: 100 },
});
const { stackOf, done, settings } = bench;

/** The engine's own properties of a resource, which other tests do not need. */
type Stored = ResourceState & { sourcePosition?: string; stackTrace?: unknown[] };

const declared = (emails: readonly string[]) =>
  program(
    `const emails = ${JSON.stringify(emails)};`,
    "for (const [index, user] of emails.entries())",
    `  new docs.TeamMembership(\`member-\${index + 10}\`, { teamId: "${teamId}", user, role: "member" });`,
  );

/** People whose names have the lengths of the benchmark. */
async function people() {
  const all = await bench.client.listMembers({ organizationId: "bench-acme", query: { limit: 1000 } }).all();
  return all.flatMap(({ user: { id, email = "" } }) =>
    email.length === 24 && id.length === 20 ? [{ id, email }] : [],
  );
}

/** A hundred bytes record the last write, so that a later run recognizes a read that is older. */
it("records a TeamMembership through the plugin in at most 1,050 bytes, or 1,060 with an e-mail, of which 220 are its own", async () => {
  const some = (await people()).slice(0, 20);
  expect(some).toHaveLength(20);
  const users = some.map(({ id, email }, index) => (index < 10 ? id : email));
  const { text } = declared(users);
  // As users have it: the tests of the engine set 0, with which no write is recorded.
  const stack = await stackOf({ text: moved(text) }, { ...settings(), DOCS_SETTLE: "30" }, pluginStack);
  done(await stack.up());
  const stored = await stack.resources();
  expect(stored).toHaveLength(20);
  for (const one of stored) {
    const { teamId: _, user, role, ...own } = one.outputs;
    expect(Object.keys(own).sort()).toEqual(["__origin", "__written", "organizationId", "pending", "userId"]);
    expect(JSON.stringify(own).length).toBeLessThanOrEqual(220);
    expect(JSON.stringify(one).length).toBeLessThanOrEqual(String(user).includes("@") ? 1060 : 1050);
    expect(role).toBe("member");
  }
});

it("records a TeamMembership in at most 1,500 bytes, with the line of the program as its position", async () => {
  const emails = (await people()).map(({ email }) => email);
  expect([teamId.length, emails.length >= 30]).toEqual([20, true]);
  const stack = await stackOf(declared(emails.slice(0, 10)));
  done(await stack.up());
  const few = Buffer.byteLength(await stack.stateFile());
  await stack.write(declared(emails.slice(0, 30)));
  done(await stack.up());
  const bytes = (Buffer.byteLength(await stack.stateFile()) - few) / 20;
  expect(bytes).toBeGreaterThan(300);
  expect(bytes).toBeLessThanOrEqual(1500);
  const stored = (await stack.resources()) as Stored[];
  expect(stored).toHaveLength(30);
  for (const { sourcePosition, stackTrace } of stored) {
    // The fifth line of the program is the one with `new`.
    expect(sourcePosition).toMatch(/\/index\.ts#5,\d+$/);
    expect(stackTrace).toEqual([{ sourcePosition }]);
  }
});
