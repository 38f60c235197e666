import { expect, it } from "vitest";
import type { ResourceState } from "../../scripts/stack";
import { engineBench, program } from "./bench";

const teamId = "teamWithALongEnoughI";
const bench = engineBench({
  organizationId: "bench-acme",
  seed: { organizations: { "bench-acme": { title: "Acme", teams: [{ id: teamId }] } } },
  size: { members: 100 },
});
const { stackOf, done } = bench;

/** The engine's own properties of a resource, which other tests do not need. */
type Stored = ResourceState & { sourcePosition?: string; stackTrace?: unknown[] };

const declared = (emails: readonly string[]) =>
  program(
    `const emails = ${JSON.stringify(emails)};`,
    "for (const [index, user] of emails.entries())",
    `  new docs.TeamMembership(\`member-\${index + 10}\`, { teamId: "${teamId}", user, role: "member" });`,
  );

it("records a TeamMembership in at most 1,500 bytes, with the line of the program as its position", async () => {
  const all = await bench.client.listMembers({ organizationId: "bench-acme", query: { limit: 1000 } }).all();
  const emails = all.flatMap(({ user: { id, email = "" } }) =>
    email.length === 24 && id.length === 20 ? [email] : [],
  );
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
    expect(sourcePosition).toMatch(/\/index\.ts#5,\d+$/);
    expect(stackTrace).toEqual([{ sourcePosition }]);
  }
});
