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
  expect(outcome.stderr).toContain("was changed after the preview, so nothing was changed");
  expect([outcome.status, await roleOf("user_dana"), writes()]).toEqual([1, "read", []]);
});

it("takes DOCS_PLAN for --plan, and destroys nothing with it", async () => {
  await shared.folder.write("organization.yaml", granted("edit"));
  done(await shared.folder.docsOrg(["preview", ...plan]));
  await shared.folder.write("organization.yaml", granted("admin"));
  writes();
  const [, DOCS_PLAN = ""] = plan;
  const outcomes = [
    await shared.folder.docsOrg(["up", "--yes"], { DOCS_PLAN }),
    await shared.folder.docsOrg(["destroy", "--yes"], { DOCS_PLAN }),
  ];
  expect(outcomes.map(({ status }) => status)).toEqual([2, 2]);
  expect([await roleOf("user_dana"), writes()]).toEqual(["read", []]);
});

it("completes a reviewed replacement, and reviews what an interrupted one has left", async () => {
  const translated = (language: string) =>
    `${organization}translations:\n  reference: { source: { space: reference, language: en }, language: ${language} }\n`;
  const translations = async () =>
    (await bench.client.listTranslations({ organizationId: "acme" }).all()).map(({ language }) => language);
  const replaced = async (language: string) => {
    await shared.folder.write("organization.yaml", translated(language));
    done(await shared.folder.docsOrg(["preview", ...plan]));
    return shared.folder.docsOrg(["up", "--yes", ...plan]);
  };
  const before = await translations();
  done(await replaced("it"));
  done(await replaced("nl"));
  expect((await translations()).sort()).toEqual([...before, "nl"].sort());
  bench.emulator.fault({ row: "deleteTranslation", status: 403, times: 9 });
  refused(await replaced("pl"));
  bench.emulator.clearFaults();
  const review = done(await shared.folder.docsOrg(["preview", ...plan]));
  expect(review.stdout).toContain("− deleted reference in nl");
  done(await shared.folder.docsOrg(["up", "--yes", ...plan]));
  expect((await translations()).sort()).toEqual([...before, "pl"].sort());
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
