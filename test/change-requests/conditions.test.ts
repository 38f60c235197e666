import { expect, it } from "vitest";
import { emulate } from "../support/docs-org";
import { runChangeRequests } from "./support";

it("ends with 2 for each condition that is met, after writing the report", async () => {
  await emulate();
  const { status, stdout, stderr } = await runChangeRequests(
    ...["outdated", "broken-links", "age=2w"].flatMap((condition) => ["--fail-on", condition]),
  );
  expect(status).toBe(2);
  expect(stdout).toMatch(/^3 open change requests/);
  expect(stderr).toHaveWording("conditions that are met");
});

it("ends with 0 if no condition is met", async () => {
  await emulate();
  const args = ["--space", "reference", "--fail-on", "outdated", "--fail-on", "broken-links", "--fail-on", "age=1000d"];
  expect(await runChangeRequests(...args)).toMatchObject({ status: 0, stderr: "" });
});

it.each([
  ["age", "--fail-on", "age=0d"],
  ["unit", "--fail-on", "age=14"],
  ["condition", "--fail-on", "old"],
])("refuses a wrong %s before the first request", async (_name, ...args) => {
  const emulator = await emulate();
  const { stderr, ...rest } = await runChangeRequests(...args);
  expect(rest).toEqual({ status: 2, stdout: "" });
  expect(stderr.replace(`${args[1]}`, "CONDITION")).toHaveWording("a condition that is none");
  expect(emulator.requests()).toEqual({});
});

it("names the space that does not exist, and the settings that are missing", async () => {
  await emulate();
  expect(await runChangeRequests("--space", "nowhere")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/list the change requests of .* nowhere: .* 404 /),
  });
  expect(await runChangeRequests("--space", "")).toMatchObject({ status: 2 });
  process.env.DOCS_TOKEN = "";
  expect(await runChangeRequests()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: there is no token/),
  });
});
