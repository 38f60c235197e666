import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import type { Audit } from "../../../provider/audit/report";
import type { Review } from "../../../provider/review/model/review";
import { docsOrg, engineBench, program } from "../bench";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

const acme = { organizationId: "acme" };

it("takes over an organization, reviews and applies a change of its file, and finds nothing unmanaged", async () => {
  const stack = await stackOf(program());
  await stack.linkPackage();
  const file = path.join(stack.folder, "organization.yaml");
  const command = async (status: number, args: string[], input?: string) => {
    const made = await docsOrg(stack, args, input);
    expect(made, made.stderr).toMatchObject({ status });
    return made.stdout;
  };

  const next = await command(0, ["export", "--out", ".", "--name", "acme", "--force"]);
  expect(next).toContain("pulumi import --file import.json");
  done(await stack.run("stack", "init", "test"));
  done(await stack.run("import", "--file", "import.json", "--protect=false", "--generate-code=false", "--yes"));
  expect(takeWrites()).toEqual([]);

  const exported = await readFile(file, "utf8");
  const changes: [RegExp, string][] = [
    [
      /^( +)hugo@acme\.test: comment$/m,
      "$1hugo@acme.test: { role: review, reason: release week, expires: { on: 2099-01-31, then: comment } }",
    ],
    [/^ +jun@acme\.test: read\n/m, ""],
    [/^( +)dana@acme\.test: member\n/m, ""],
    [/^ {2}maxRemovals: 25%$/m, "  requiredAdmins: [ada@acme.test]\n  maxRemovals: 2"],
    [/^sites:$/m, "sites:\n  drafts: { title: Drafts, visibility: unlisted }"],
    [/^( +)published: true$/m, "$1published: false"],
  ];
  const edited = changes.reduce((text, [from, to]) => {
    expect(text).toMatch(from);
    return text.replace(from, to);
  }, exported);
  await writeFile(file, edited);

  const { stdout: preview } = await stack.preview("--refresh", "--json");
  const review: Review = JSON.parse(await command(0, ["review", "--format", "json"], preview));
  const changed = review.people.flatMap(({ name, access }) =>
    access
      .filter(({ effect }) => effect !== "none")
      .map(({ place, effect, before, after }) => `${name} ${effect} ${place.team ?? "role"}: ${before} -> ${after}`),
  );
  expect(changed.sort()).toEqual([
    "dana@acme.test loses team_writers: member -> none",
    "hugo@acme.test gains role: comment -> review",
    "jun@acme.test loses role: read -> guest",
  ]);
  const markdown = await command(0, ["review", "--plan", "plan.json"], preview);
  expect(markdown).toMatch(/reason: `?release week`?; granted until the end of `?2099-01-31`?, then `?comment`?/);
  await command(0, ["verify", "--plan", "plan.json"], preview);

  done(await stack.up(), /Drafts|acme-drafts/);
  const roles = await Promise.all(
    ["user_hugo", "user_jun"].map(async (userId) => (await bench.client.getMember({ ...acme, userId })).role),
  );
  expect(roles).toEqual(["review", null]);
  takeWrites();

  const audit: Audit = JSON.parse(
    await command(0, ["audit", "--format", "json", "--fail-on", "unmanaged"], await stack.export()),
  );
  expect(audit.coverage.total.percent).toBe(100);
  expect(audit.unmanaged).toEqual(Object.fromEntries(Object.keys(audit.unmanaged).map((kind) => [kind, []])));
  expect(takeWrites()).toEqual([]);
});
