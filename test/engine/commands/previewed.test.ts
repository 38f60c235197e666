import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { engineBench } from "../bench";
import { organizationText, sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings, takeWrites } = bench;
const shared = sharedFolder(settings);

const plan = ["--plan", "plan.json"];
const translated = (language: string) =>
  `${organizationText}translations:\n  reference: { source: { space: reference, language: en }, language: ${language} }\n`;
const granted = (role: string) =>
  translated("it").replace("user_bea: admin", `user_bea: admin\n  dana@acme.test: ${role}`);
const roleOf = async (userId: string) => (await bench.client.getMember({ organizationId: "acme", userId })).role;

/**
 * Runs `docs-org up` with a reviewed plan and with this code: `compared` runs in its process when the comparison is printed,
 * `everywhere` at the start of each process.
 */
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

beforeAll(async () => {
  await shared.folder.write("organization.yaml", translated("it"));
  done(await shared.folder.docsOrg(["up", "--yes"]));
  await bench.client.updateMember({ organizationId: "acme", userId: "user_dana", body: { role: "read" } });
});

describe("an up with a plan", () => {
  beforeAll(async () => {
    await shared.folder.write("organization.yaml", granted("edit"));
    done(await shared.folder.docsOrg(["preview", ...plan]));
  });
  beforeEach(() => void takeWrites());
  afterEach(async () => {
    expect([await roleOf("user_dana"), takeWrites()]).toEqual(["read", []]);
  });

  it("refuses to apply a file that was edited after the comparison with the plan", async () => {
    const edit = `fs.writeFileSync("organization.yaml", ${JSON.stringify(granted("admin"))});`;
    const outcome = refused(await upWith({ compared: edit }), /^Everything was reviewed/m);
    expect(outcome.stderr).toContain("was changed after the preview, so nothing was changed");
    expect(outcome.status).toBe(1);
  });

  it("takes DOCS_PLAN for --plan, and destroys nothing with it", async () => {
    await shared.folder.write("organization.yaml", granted("admin"));
    const [, DOCS_PLAN = ""] = plan;
    const upped = refused(
      await shared.folder.docsOrg(["up", "--yes"], { DOCS_PLAN }),
      /Not reviewed:\n\s+gain\s+dana@acme\.test \(user_dana\): role read → admin/,
    );
    const destroyed = await shared.folder.docsOrg(["destroy", "--yes"], { DOCS_PLAN });
    expect([upped.status, destroyed.status]).toEqual([2, 2]);
  });
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

it("completes a reviewed replacement, and reviews what an interrupted one has left", async () => {
  const translations = async () =>
    (await bench.client.listTranslations({ organizationId: "acme" }).all()).map(({ language }) => language);
  const declare = (language: string) => shared.folder.write("organization.yaml", translated(language));
  const upReviewed = async () => {
    const { stdout } = done(await shared.folder.docsOrg(["preview", ...plan]));
    return { review: stdout, up: await shared.folder.docsOrg(["up", "--yes", ...plan]) };
  };
  const others = (await translations()).filter((language) => language !== "it");
  await declare("nl");
  done((await upReviewed()).up);
  expect((await translations()).sort()).toEqual([...others, "nl"].sort());
  await declare("pl");
  bench.emulator.fault({ row: "deleteTranslation", status: 403, times: 9 });
  refused((await upReviewed()).up);
  bench.emulator.clearFaults();
  const { review, up } = await upReviewed();
  expect(review).toContain("− deleted reference in nl");
  done(up);
  expect((await translations()).sort()).toEqual([...others, "pl"].sort());
});

it("waits with a membership for an e-mail that the state still has for somebody who has left", async () => {
  await shared.folder.write("organization.yaml", organizationText);
  done(await shared.folder.docsOrg(["up", "--yes"]));
  await bench.client.removeMember({ organizationId: "acme", userId: "user_femi" });
  const team = "  team_support: { members: { femi@acme.test: member }, exclusive: true, allowNoOwner: true }\n";
  await shared.folder.write("organization.yaml", organizationText.replace("sites:", `${team}sites:`));
  const { stdout } = done(await shared.folder.docsOrg(["preview", ...plan]));
  expect(stdout).toContain("femi@acme.test: team team_support not in it → member; pending: no member has this e-mail");
  done(await shared.folder.docsOrg(["up", "--yes", ...plan]), /^Everything was reviewed/m);
});
