import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { certificateOne } from "../support/certificates";
import { docsOrg, freshFolder } from "../support/docs-org";
import { organizationStep, previews } from "./previews";
import { type PreviewStep, print } from "./support";

/** Reviews one preview, and verifies another one with the plan. */
async function verified(reviewed: string, fresh: string, ...options: string[]) {
  const folder = freshFolder();
  const [plan, preview] = [path.join(folder, "plan.json"), path.join(folder, "preview.json")];
  writeFileSync(preview, reviewed);
  expect((await docsOrg("review", "--plan", plan, preview)).status).toBe(0);
  writeFileSync(preview, fresh);
  const verify = (...more: string[]) => docsOrg("verify", "--plan", plan, ...more, preview);
  return { ...(await verify(...options)), preview, verify };
}

/** Sets a variable for the running test. */
function set(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** A preview of a stack that has nothing yet, so nothing could have drifted. */
const created = (step: Omit<PreviewStep, "op">, config: object = { "docs:organizationId": "acme" }) =>
  print([{ ...step, op: "create" }], { config, changeSummary: { create: 1 } });
const role = (level: string) => created({ type: "MemberRole", declared: { user: "user_a", role: level } });

it("the status is 0 if everything was reviewed, and 2 if a change was not", async () => {
  expect(await verified(role("read"), role("read"))).toMatchObject({ status: 0 });
  expect(await verified(role("read"), role("edit"))).toMatchObject({ status: 2 });
  expect(await verified(role("read"), role("edit"), "--accept-incomparable")).toMatchObject({ status: 2 });
});

it("the status is 3 if a variable makes the preview partial, which the first line of a review says, as of the time of DOCS_NOW", async () => {
  set("PULUMI_OPTION_EXCLUDE", "**Site**");
  set("DOCS_NOW", "2027-01-31T12:00:00Z");
  const { status, preview } = await verified(role("read"), role("read"));
  expect(status).toBe(3);
  const { stdout: review } = await docsOrg("review", "--format", "text", preview);
  expect(review.split("\n")[0]).toHaveWording("a partial preview of another day");
});

it("the status is 3 if a part cannot be compared, which an option accepts", async () => {
  const secret = await verified(role("[secret]"), role("[secret]"));
  expect(secret.status).toBe(3);
  expect(secret.stdout).toMatch(/^ *change +user_a: role secret /m);
  expect(secret.stderr.split("\n").at(-2)).toHaveWording("a secret that cannot be compared");
  expect(await verified(role("[secret]"), role("[secret]"), "--accept-incomparable")).toMatchObject({ status: 0 });
  for (const preview of [previews.unrefreshed, previews.target]) {
    expect(await verified(preview, preview)).toMatchObject({ status: 3 });
    expect(await verified(preview, preview, "--accept-incomparable")).toMatchObject({ status: 0 });
  }
});

it("the status is 1 if the plan is older than 7 days, or than --plan-age allows", async () => {
  const { verify } = await verified(role("read"), role("read"));
  set("DOCS_NOW", new Date(Date.now() + 8 * 24 * 3_600_000).toISOString());
  const old = await verify();
  expect(old.stderr).toMatch(/the plan was made at \S+, .* 7 days; .* --plan-age or DOCS_PLAN_AGE\n$/);
  expect(old.status).toBe(1);
  expect(await verify("--plan-age", "9d")).toMatchObject({ status: 0 });
  expect(await verify("--plan-age", "12h")).toMatchObject({ status: 1 });
  expect(await verify("--plan-age", "soon")).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("such as 3d or 12h."),
  });
});

it("the status is 3 if only the environment of pulumi names the organization, 2 if the same is set for verify only, and 0 if it is set for both", async () => {
  const role = created({ type: "MemberRole", declared: { user: "user_a", role: "read" } }, {});
  const { status, stdout, verify } = await verified(role, role);
  expect(status).toBe(3);
  expect(stdout).toMatch(/organizationId: .*set DOCS_ORGANIZATION_ID for docs-org as well"\n/);
  set("DOCS_ORGANIZATION_ID", "acme");
  expect(await verify()).toMatchObject({ status: 2, stdout: expect.stringContaining('organizationId: "acme"') });
  expect(await verified(role, role)).toMatchObject({ status: 0 });
});

it("the status is 2 if both apply: an unreviewed change counts more", async () => {
  expect(await verified(role("read"), role("[secret]"))).toMatchObject({ status: 2 });
});

const site: PreviewStep = { type: "Site", recorded: {}, op: "refresh" };

// With the status for `--fail-on risk`, and that for `--fail-on change`.
it.each([
  ["--fail-on change, and nothing", print([site], { changeSummary: { same: 1 } }), 0, 0],
  ["--fail-on change, and a change", role("read"), 0, 2],
  ["--fail-on change, and a risk", role("admin"), 2, 2],
  ["--fail-on change, and drift", previews.drift, 2, 2],
  ["--fail-on change, and no look for drift", previews.unrefreshed, 0, 2],
  ["--fail-on change, and a part of the stack", print([site], { changeSummary: { same: 2 } }), 0, 2],
  ["--fail-on change, and a failure", print([], { diagnostics: [{ severity: "error", message: "no" }] }), 2, 2],
])("%s", async (name, preview, onRisk, onChange) => {
  const file = path.join(freshFolder(), "preview.json");
  writeFileSync(file, preview);
  expect(await docsOrg("review", "--fail-on", "risk", file)).toMatchObject({ status: onRisk });
  const change = await docsOrg("review", "--fail-on", "change", file);
  expect(change.status).toBe(onChange);
  if (onChange > 0) expect(change.stderr).toHaveWording(name);
});

it("lists what begins or ends within the age of --fail-on expiring, and ends with 2 if something ends", async () => {
  set("DOCS_NOW", "2126-10-20T12:00:00Z");
  set("DOCS_TOKEN", `e30.${Buffer.from(`{"exp":${Date.parse("2126-10-24T06:00Z") / 1000}}`).toString("base64url")}.x`);
  const file = path.join(freshFolder(), "preview.json");
  const grants = [
    { user: "a@acme.test", role: "admin", expires: "2126-10-25", then: "edit" },
    { user: "b@acme.test", team: "t", role: "member", from: "2126-10-22" },
    { user: "c@acme.test", role: "edit", expires: "2126-12-25", then: "restore" },
    { user: "d@acme.test", role: "edit", expires: "2126-10-10", then: "read" },
    { user: "d@acme.test", team: "t", role: "member", expires: "2126-10-10", then: "remove" },
  ];
  const okta: PreviewStep = { type: "SamlProvider", declared: { label: "Okta", certificate: certificateOne } };
  const component = { ...organizationStep, declared: { review: { organization: "acme", grants } } };
  writeFileSync(
    file,
    print(
      [
        { ...okta, op: "create" },
        { ...component, op: "create" },
      ],
      {},
    ),
  );
  const asked = (age: string, format = "json") =>
    docsOrg("review", "--format", format, "--fail-on", `expiring=${age}`, file);
  const { status, stdout, stderr } = await asked("10d", "text");
  expect([status, stderr]).toEqual([2, expect.toHaveWording("something ends soon")]);
  expect(stdout.slice(stdout.indexOf("◷ Begins"), stdout.indexOf("\ndocs-org"))).toHaveWording(
    "what begins or ends soon",
  );
  const brief = await asked("3d");
  expect(brief.status).toBe(0);
  expect(JSON.parse(brief.stdout).ends.map(({ kind }: { kind: string }) => kind)).toEqual(["grant begins"]);
  const [live, declared] = ["edit", "read"].map((role) => ({ user: "d@acme.test", role }));
  writeFileSync(
    file,
    print([
      { ...component, op: "create" },
      { type: "MemberRole", live, declared },
      { type: "TeamMembership", live: { teamId: "another", user: "d@acme.test", role: "member" } },
    ]),
  );
  const late = await asked("3d");
  expect(late.stderr).toHaveWording("grants after their ends");
  expect([late.status, JSON.parse(late.stdout).ends]).toEqual([
    2,
    [
      { kind: "grant has ended", on: "2126-10-10", text: expect.toHaveWording("a grant after its end") },
      expect.anything(),
    ],
  ]);
  expect((await docsOrg("review", "--fail-on", "expiring=soon", file)).stderr).toHaveWording("an age that is none");
  expect(JSON.parse((await docsOrg("review", "--format", "json", file)).stdout).ends).toEqual([]);
});
