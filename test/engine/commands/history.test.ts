import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { ownProcesses } from "../../support/engine-node";
import { processesIn } from "../../support/processes";
import { engineBench } from "../bench";
import { sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings } = bench;

const shared = sharedFolder(settings);
const up = ["up", "--yes"];

it("says who had what by which update, and what no update is known to have made", async () => {
  const { folder } = shared;
  const git = (...args: string[]) =>
    folder.run(["git", "-c", "user.name=Grace", "-c", "user.email=g@acme.test", ...args]);
  const commit = async (message: string, cem: string) => {
    const members = `members: { ada@acme.test: admin, user_bea: admin${cem} }`;
    await folder.write(
      "organization.yaml",
      `organization: acme\n${members}\nsites: { guide: { title: Guide, protect: false } }\n`,
    );
    done(await git("add", "organization.yaml"));
    done(await git("commit", "--quiet", "--message", message));
  };
  const setOutside = (role: "admin" | "read") =>
    bench.client.updateMember({ organizationId: "acme", userId: "user_cem", body: { role } });
  done(await git("init", "--quiet", "--initial-branch", "main"));
  await commit("Begin", ", cem@acme.test: create");
  // No part of the declaration, so it is no uncommitted change.
  await folder.write("plan.json", "{}");
  refused(await folder.docsOrg(["history"]), /there is no stack main/);
  done(await folder.docsOrg(up));
  await commit("Cem edits (#12)", ", cem@acme.test: { role: edit, reason: Ticket 7 }");
  done(await folder.docsOrg(up));
  // Seen by a refresh.
  await setOutside("admin");
  done(await folder.pulumi(["refresh", "--yes", "--stack", "main"]));
  done(await folder.docsOrg(up));
  // Seen and set back by the same up. With a settle time, as users have one, the state records what the up has written.
  await setOutside("read");
  done(await folder.docsOrg(up, { DOCS_SETTLE: "30" }));

  await commit("Cem reviews (#13)", ", cem@acme.test: { role: review, reason: Ticket 8 }");
  const changes = () => bench.emulator.requests().updateMember ?? 0;
  const before = changes();
  bench.emulator.fault({ row: "updateMember", delay: 600_000 });
  const upping = folder.docsOrg(up, ownProcesses);
  await expect.poll(changes, { timeout: 120_000, interval: 20 }).toBeGreaterThan(before);
  // The engine first: it would record a failure of the provider.
  for (const program of [/^pulumi up /, /\/plugin\/index\.js /])
    for (const { id, command } of await processesIn(path.join(folder.path, ".docs-org")))
      if (program.test(command)) process.kill(id, "SIGKILL");
  expect((await upping).status).toBe(1);
  bench.emulator.clearFaults();
  done(await folder.docsOrg(["cancel", "--yes"]));
  done(
    await folder.docsOrg(["history", "cem@acme.test"]),
    /a run was interrupted, and nobody knows whether it has changed MemberRoles acme-members/,
  );
  done(await folder.docsOrg(up));
  await commit("Cem leaves (#14)", "");
  done(await folder.docsOrg(up, { DOCS_SETTLE: "30" }));

  const historyOf = async (...args: string[]) =>
    done(await folder.docsOrg(["history", ...args])).stdout.replace(
      /docs-org \S+, \S+ \S+ UTC/,
      "docs-org VERSION, NOW",
    );
  const history = await historyOf();
  const stable = (text: string) =>
    text.replace(/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\dZ?/g, "TIME").replace(/\b[0-9a-f]{12}\b/g, "COMMIT");
  expect(stable(history)).toHaveWording("a history");
  expect(stable(await historyOf("CEM@acme.test"))).toHaveWording("the history of a person");

  refused(await folder.docsOrg(["history", "nobody@acme.test"]), /no version of the state has "nobody@acme\.test"/);
  refused(await folder.docsOrg(["history", "--since", "foo"]), /there is no version "foo"/);

  // A copy of what a bucket has, without its first two versions.
  const kept = ".docs-org/state/.pulumi/history/acme/main";
  done(await folder.run(["cp", "-r", kept, "copy"]));
  const { stdout } = done(await folder.run(["ls", "copy"]));
  for (const file of stdout.split("\n").filter(Boolean).slice(0, 8)) await rm(path.join(folder.path, "copy", file));
  const copy = ["history", "cem@acme.test", "--versions", "copy"];
  const part = done(await folder.docsOrg([...copy, "--format", "json"], { PATH: "" })).stdout;
  const { gaps, access } = JSON.parse(part);
  expect(gaps.map(({ kind }: { kind: string }) => kind)).toEqual(["earlier", "killed"]);
  expect(access[0]).toMatchObject({ person: "user_cem", before: "create", after: "admin", cause: "unclear" });
  const csv = done(await folder.docsOrg([...copy, "--format", "csv"]))
    .stdout.trimEnd()
    .split("\r\n");
  expect(csv).toHaveLength(1 + access.length + gaps.length);
  refused(await folder.docsOrg(["history", "--versions", "none"]), /there is no version of the state in none/);
  await rm(path.join(folder.path, kept), { recursive: true });
  refused(await folder.docsOrg(["history"]), /there is no version of the state in the backend of the stack/);
});
