import { expect, it } from "vitest";
import type { Seed } from "../../../provider/emulator";
import { pluginStack } from "../../../scripts/plugin-stack";
import { engineBench } from "../bench";

/** Two organizations with the same ids, so that a deletion with the wrong provider object would find its object. */
const organization: Seed["organizations"][string] = {
  members: ["ada", "bea"].map((name) => ({ userId: `user_${name}`, email: `${name}@example.test`, role: "admin" })),
  teams: [{ id: "team_writers", title: "Writers", members: { user_bea: "owner" } }],
};
const bench = engineBench({ seed: { organizations: { acme: organization, beta: organization } } });
const { done, refused, takeWrites } = bench;

interface Declared {
  /** Name of the provider object by organization. */
  readonly providers: Readonly<Record<string, string>>;
  /** Resources and the organization whose provider object they have. */
  readonly resources: Readonly<Record<string, string>>;
}

const declaring = ({ providers, resources }: Declared): string => `
import * as pulumi from "@pulumi/pulumi";
import * as docs from "pulumi-docs-org/plugin";
const token = pulumi.secret(process.env.TOKEN ?? "");
const providers: Record<string, docs.Provider> = {};
for (const [organizationId, name] of Object.entries(${JSON.stringify(providers)}))
  providers[organizationId] = new docs.Provider(name, { organizationId, token, baseUrl: "${bench.emulator.url}" });
for (const [name, organization] of Object.entries(${JSON.stringify(resources)})) {
  const options = { provider: providers[organization]! };
  new docs.Site(name, { title: name, visibility: "unlisted" }, options);
  new docs.TeamMembership(name, { teamId: "team_writers", user: "user_ada", role: "member" }, options);
}
`;

const both = { acme: "acme", beta: "beta" };
/** The deletions of a site and a membership in the organization, in either order. */
const deletionsIn = (organization: string) => {
  const deletion = new RegExp(`^DELETE /v1/orgs/${organization}/(sites/\\w+|teams/team_writers/members/user_ada)$`);
  return [expect.stringMatching(deletion), expect.stringMatching(deletion)];
};

it("lets a provider object change only its own organization, also when it goes with its resources", async () => {
  const resources = { first: "acme", second: "beta" };
  const settings = { TOKEN: bench.emulator.token };
  const stack = await bench.stackOf({ text: declaring({ providers: both, resources }) }, settings, pluginStack);
  done(await stack.up(), "7 created");
  expect(await stack.stateFile()).not.toContain(bench.emulator.token);
  takeWrites();

  // Refused before it is recorded, so the corrected program works.
  const changed = declaring({ providers: both, resources }).replace("{ organizationId,", '{ organizationId: "acme",');
  await stack.write({ text: changed });
  refused(await stack.up("--refresh"), /provider object "beta" .* beta, but its organizationId/);

  // The memberships name the same person, so two of them in one organization would be another mistake.
  await stack.write({ text: declaring({ providers: both, resources: { first: "beta", second: "acme" } }) });
  refused(await stack.up(), /this stack manages organization (acme|beta), but the settings name "(acme|beta)"/);
  expect(takeWrites()).toEqual([]);

  await stack.write({ text: declaring({ providers: { acme: "acme" }, resources: { first: "acme" } }) });
  done(await stack.up(), "3 deleted");
  expect(takeWrites()).toEqual(deletionsIn("beta"));

  // The name of a provider object is a part of its URN: the state has the former one until this up is done.
  await stack.write({ text: declaring({ providers: { acme: "renamed" }, resources: { first: "acme" } }) });
  done(await stack.up());
  expect(takeWrites()).toEqual([]);
  done(await stack.destroy());
  expect(takeWrites()).toEqual(deletionsIn("acme"));
});
