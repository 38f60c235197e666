import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { run } from "../../provider/cli/program";
import { previews } from "./previews";
import { print, type Step } from "./support";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "docs-org-verify-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The exit status and both outputs of a command. */
async function command(...args: string[]): Promise<{ status: number; text: string }> {
  const texts: string[] = [];
  const error = vi.spyOn(process.stderr, "write").mockImplementation((text) => texts.push(String(text)) > 0);
  const log = vi.spyOn(console, "log").mockImplementation((text) => void texts.push(`${text}\n`));
  const output = vi.spyOn(process.stdout, "write").mockImplementation((_text, end) => {
    if (typeof end === "function") (end as () => void)();
    return true;
  });
  try {
    return { status: await run(args), text: texts.join("") };
  } finally {
    for (const spy of [error, log, output]) spy.mockRestore();
  }
}

/** Reviews one preview, and verifies another one with the plan. */
async function verified(reviewed: string, fresh: string, ...options: string[]) {
  const [plan, preview] = [path.join(folder, "plan.json"), path.join(folder, "preview.json")];
  await writeFile(preview, reviewed);
  expect((await command("review", "--plan", plan, preview)).status).toBe(0);
  await writeFile(preview, fresh);
  return command("verify", "--plan", plan, ...options, preview);
}

/** A stack without anything so far has nothing that could have drifted. */
const created = (step: Omit<Step, "op">, config: object = { "docs:organizationId": "acme" }) =>
  print([{ ...step, op: "create" }], { config, changeSummary: { create: 1 } });
const role = (level: string) => created({ type: "MemberRole", declared: { user: "user_a", role: level } });

it("is 0 if everything was reviewed, and 2 if a change was not", async () => {
  expect(await verified(role("read"), role("read"))).toMatchObject({ status: 0 });
  expect(await verified(role("read"), role("edit"))).toMatchObject({ status: 2 });
  expect(await verified(role("read"), role("edit"), "--accept-incomparable")).toMatchObject({ status: 2 });
});

it("is 3 if a variable makes the preview partial, which the first line of a review says, as of the time of DOCS_NOW", async () => {
  vi.stubEnv("PULUMI_OPTION_EXCLUDE", "**Site**");
  vi.stubEnv("DOCS_NOW", "2027-01-31T12:00:00Z");
  const partial = await verified(role("read"), role("read"));
  const written = vi.spyOn(process.stdout, "write").mockImplementation((_text, end) => {
    (end as unknown as () => void)();
    return true;
  });
  await run(["review", "--format", "text", path.join(folder, "preview.json")]);
  const review = String(written.mock.calls[0]?.[0]);
  written.mockRestore();
  vi.unstubAllEnvs();
  expect(partial.status).toBe(3);
  expect(review).toMatch(
    /^Only a part of the stack \(PULUMI_OPTION_EXCLUDE\): As of 2027-01-31T12:00:00Z \(DOCS_NOW\): 1 person gains access/,
  );
});

it("is 3 if a part cannot be compared, which an option accepts", async () => {
  const secret = await verified(role("[secret]"), role("[secret]"));
  expect(secret.status).toBe(3);
  expect(secret.text).toContain("change    user_a: role secret (secret, or known only during the up)");
  expect(secret.text).toMatch(
    /docs-org: stopped: everything that can be compared was reviewed, and 1 point cannot be compared; look at it, then add --accept-incomparable\n$/,
  );
  expect(await verified(role("[secret]"), role("[secret]"), "--accept-incomparable")).toMatchObject({ status: 0 });
  for (const preview of [previews.unrefreshed, previews.target]) {
    expect(await verified(preview, preview)).toMatchObject({ status: 3 });
    expect(await verified(preview, preview, "--accept-incomparable")).toMatchObject({ status: 0 });
  }
});

it("is 1 if the plan is older than 7 days, or than --plan-age allows", async () => {
  const [plan, preview] = [path.join(folder, "plan.json"), path.join(folder, "preview.json")];
  await verified(role("read"), role("read"));
  vi.stubEnv("DOCS_NOW", new Date(Date.now() + 8 * 24 * 3_600_000).toISOString());
  const old = await command("verify", "--plan", plan, preview);
  expect(old.text).toMatch(
    /the plan was made at \S+, which is longer ago than 7 days; make it again with .*, or allow an older one with --plan-age or DOCS_PLAN_AGE\n$/,
  );
  expect(old.status).toBe(1);
  expect(await command("verify", "--plan", plan, "--plan-age", "9d", preview)).toMatchObject({ status: 0 });
  expect(await command("verify", "--plan", plan, "--plan-age", "12h", preview)).toMatchObject({ status: 1 });
  const wrong = await command("verify", "--plan", plan, "--plan-age", "soon", preview);
  vi.unstubAllEnvs();
  expect(wrong.text).toContain("Use days or hours, such as 3d or 12h.");
  expect(wrong.status).toBe(2);
});

it("is 3 if only the environment of pulumi names the organization, and 0 if the same environment is set here", async () => {
  const role = created({ type: "MemberRole", declared: { user: "user_a", role: "read" } }, {});
  expect(await verified(role, role)).toMatchObject({ status: 3 });
  vi.stubEnv("DOCS_ORGANIZATION_ID", "acme");
  try {
    expect(await verified(role, role)).toMatchObject({ status: 0 });
  } finally {
    vi.unstubAllEnvs();
  }
});

it("is 2 if both apply: an unreviewed change counts more", async () => {
  expect(await verified(role("read"), role("[secret]"))).toMatchObject({ status: 2 });
});
