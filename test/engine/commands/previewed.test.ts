import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { engineBench } from "../bench";
import { organization, sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings, writes } = bench;
const shared = sharedFolder(settings);

const plan = ["--plan", "plan.json"];
const granted = (role: string) => organization.replace("user_bea: admin", `user_bea: admin\n  dana@acme.test: ${role}`);
const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

/** Runs `docs-org up` with a reviewed plan; this code runs in its process when the comparison was printed, or in all of them. */
async function upWith(code: { compared?: string; everywhere?: string }) {
  const { compared = "", everywhere = "" } = code;
  await shared.folder.write(
    "hook.cjs",
    `const fs = require("node:fs"), write = process.stdout.write.bind(process.stdout);
    process.stdout.write = (text, ...rest) => {
      if (String(text).includes("Everything was reviewed")) { ${compared} }
      return write(text, ...rest);
    };
    ${everywhere}`,
  );
  const NODE_OPTIONS = `--require ${path.join(shared.folder.path, "hook.cjs")}`;
  return shared.folder.docsOrg(["up", "--yes", ...plan], { NODE_OPTIONS });
}

beforeEach(async () => {
  await shared.folder.write("organization.yaml", organization);
  done(await shared.folder.docsOrg(["up", "--yes"]));
  await bench.client.updateMember({ organizationId: "acme", userId: "user_dana", body: { role: "read" } });
});

it("refuses to apply a file that was edited after the comparison with the plan", async () => {
  await shared.folder.write("organization.yaml", granted("edit"));
  done(await shared.folder.docsOrg(["preview", ...plan]));
  writes();
  const edit = `fs.writeFileSync("organization.yaml", ${JSON.stringify(granted("admin"))});`;
  const outcome = refused(await upWith({ compared: edit }), /^Everything was reviewed/m);
  expect(outcome.stderr).toContain("does not have user_dana, dana@acme.test (role): read → admin");
  expect([outcome.status, await roleOf("user_dana"), writes()]).toEqual([1, "read", []]);
});

it("ends no grant whose last day was not over in the preview that was compared", async () => {
  const grant = "{ role: edit, expires: { on: 2027-01-31, then: remove }, reason: Launch }";
  await shared.folder.write("organization.yaml", granted(grant));
  done(await shared.folder.docsOrg(["preview", ...plan], { DOCS_NOW: "2027-01-31T23:00:00Z" }));
  // The clock of every process is a second before midnight until the comparison, and then a second after it.
  const clock = `const over = ${JSON.stringify(path.join(shared.folder.path, "over"))}, Own = Date;
    globalThis.Date = class extends Own {
      static now = () => Own.parse(fs.existsSync(over) ? "2027-02-01T00:00:01Z" : "2027-01-31T23:59:59Z");
      constructor(...given) { super(...(given.length > 0 ? given : [Date.now()])); }
    };`;
  done(await upWith({ compared: 'fs.writeFileSync(over, "");', everywhere: clock }), /^Everything was reviewed/m);
  expect(await roleOf("user_dana")).toBe("edit");
});
