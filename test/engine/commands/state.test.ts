import { cp, mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { organizationVariable } from "../../../provider/organization/file/reader";
import { engineBench } from "../bench";
import { sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings, takeWrites } = bench;

const shared = sharedFolder(settings);
const file = `# Who may do what
organization: acme # the id

members: { ada@acme.test: admin, user_bea: admin } # founders
`;

it("moves the state of a folder, whose file says so in every clone, and refuses the old one", async () => {
  const { folder } = shared;
  const run = folder.docsOrg.bind(folder);
  await folder.write("organization.yaml", file);
  done(await run(["up", "--yes"]), /^Done: 1 created/m);
  done(await run(["up", "--yes", "--stack", "second"]), /made the stack second/);
  const place = path.join(path.dirname(folder.path), "states #1");
  await mkdir(place);
  const move = ["state", "move", "file://../states #1"];
  expect((await run(move)).status).toBe(2);
  refused(await run(["state", "move", "postgres://me:secret@db/states", "--yes"]), /it has a password/);
  refused(
    await run(["preview"], { PULUMI_BACKEND_URL: `file://${place}` }),
    /has the state of stacks in \.docs-org\/state/,
  );

  const url = "file://../states%20%231";
  const moved = path.join(folder.path, ".docs-org", "state", "MOVED");
  done(await run(["state", "move", url, "--yes"]), /copied main, second to file:.*, which is equal/);
  const local = () => folder.write(".docs-org/Pulumi.yaml", "name: acme\nbackend: { url: file://./state }\n");
  // As if an earlier move was killed: one stack is copied, and the other one is not.
  await rm(moved);
  await local();
  await rm(path.join(place, ".pulumi", "stacks", "acme", "second.json"));
  await folder.write("organization.yaml", file);
  const again = done(await run(["state", "move", url, "--yes"]), /copied main, second/);
  expect(again.stdout.replaceAll(path.dirname(folder.path), "HOME")).toHaveWording("a move of the state");
  const named = file.replace("the id\n", `the id\nbackend: ${url}\n`);
  expect(await folder.read("organization.yaml")).toBe(named);
  done(await run(["state", "move", url, "--yes"]), /is kept in/);
  const third = path.join(path.dirname(folder.path), "third");
  await mkdir(third);
  const variable = { PULUMI_BACKEND_URL: `file://${third}` };
  done(
    await run(["state", "move", "file://../third", "--yes"], variable),
    /copied main, second to file:\/\/.*\/third,/,
  );
  refused(await run(["state", "move", "file://../third", "--yes"]), /is kept in file:\/\/.*\/third already/);
  await folder.write("organization.yaml", named);
  takeWrites();

  // A clone has the file only.
  await cp(path.join(folder.path, ".docs-org"), path.join(path.dirname(folder.path), "kept"), { recursive: true });
  await rm(path.join(folder.path, ".docs-org"), { recursive: true });
  done(await run(["preview"]), /^Nothing changes\./);
  done(await folder.pulumi(["stack", "--stack", "second"]), /docs:index:MemberRoles/);
  const other = refused(await run(["up", "--yes"], { PULUMI_BACKEND_URL: "s3://other" }), /^docs-org: organization/);
  expect(other.stderr.replaceAll(path.dirname(folder.path), "HOME")).toHaveWording("a run with another backend");

  // The old state, with the file of that time.
  await rm(path.join(folder.path, ".docs-org"), { recursive: true });
  await cp(path.join(path.dirname(folder.path), "kept"), path.join(folder.path, ".docs-org"), { recursive: true });
  await local();
  await folder.write("organization.yaml", file);
  const old = refused(await run(["up", "--yes"]), /^docs-org: the state in/);
  expect(old.stderr.replaceAll(path.dirname(folder.path), "HOME")).toHaveWording("a run with a moved state");
  // The new place has other resources meanwhile, so the old state cannot be moved again, even without its mark.
  await folder.write("organization.yaml", named.replace("user_bea: admin", "user_bea: admin, user_cem: create"));
  await rm(path.join(folder.path, ".docs-org", "state"), { recursive: true });
  done(await run(["up", "--yes"]), /^Done: 1 updated/m);
  await cp(path.join(path.dirname(folder.path), "kept"), path.join(folder.path, ".docs-org"), { recursive: true });
  await rm(moved);
  await local();
  refused(await run(["state", "move", url, "--yes"]), /could not move stack main: the new place has a stack/);
  expect(await readdir(path.dirname(moved))).not.toContain("MOVED");

  // A file for several organizations has a project of each, and all of them move.
  const stacks = ".docs-org/state/.pulumi/stacks";
  await mkdir(path.join(folder.path, stacks, "beta"));
  const ofAcme = await folder.read(`${stacks}/acme/main.json`);
  await folder.write(`${stacks}/beta/main.json`, ofAcme.replaceAll("::acme::", "::beta::"));
  await folder.write("organization.yaml", file.replace("acme #", `${organizationVariable} #`));
  const fourth = path.join(path.dirname(folder.path), "fourth");
  await mkdir(fourth);
  done(
    await run(["state", "move", "file://../fourth", "--yes"], { DOCS_ORGANIZATION_ID: "acme" }),
    /copied acme\/main, acme\/second, beta\/main to/,
  );
  expect(await readdir(path.join(fourth, ".pulumi", "stacks"))).toEqual(["acme", "beta"]);
  expect(await folder.read(".docs-org/Pulumi.yaml")).toMatch(/^name: acme$/m);
  refused(
    await run(["state", "move", "file://../third", "--yes"], { DOCS_ORGANIZATION_ID: "acme" }),
    /file:\/\/.*\/fourth does not say which of its projects are theirs/,
  );
  expect(takeWrites()).toEqual([]);
});
