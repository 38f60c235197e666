import { PassThrough } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { editSpace } from "../../provider/emulator";
import { emulate } from "../support/docs-org";
import { runChangeRequests, seedWithContent } from "./support";

/** Two open change requests, both outdated by a change of the space. */
async function outdated() {
  const open = { status: "open" as const };
  const edits = [{ editPage: { page: "faq", markdown: "Ours." } }];
  const emulator = await emulate({ seed: seedWithContent({ changeRequests: [open, { ...open, edits }] }) });
  editSpace(emulator.state, "guides", [{ editPage: { page: "faq", markdown: "Theirs." } }]);
  return emulator;
}

it("updates what is outdated, and reports the state afterwards with conflicts", async () => {
  const emulator = await outdated();
  const { status, stdout, stderr } = await runChangeRequests("--pull", "--yes", "--fail-on", "outdated");
  expect(status).toBe(0);
  expect(stderr).toContain("docs-org: outdated: guides #1 \n");
  expect(stdout).toContain(
    "  guides #1: up to date\n  medium: guides #2: up to date, with conflicts that need repair by hand\n",
  );
  expect(emulator.requests()).toMatchObject({ pullIntoChangeRequest: 2 });
});

it("refuses without a terminal and without --yes, before the first request", async () => {
  const emulator = await outdated();
  expect(await runChangeRequests("--pull")).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.toHaveWording("a question without a terminal"),
  });
  expect(emulator.requests()).toEqual({});
});

it("sends nothing if nothing is outdated", async () => {
  const emulator = await emulate({ seed: seedWithContent({ changeRequests: [{ status: "open" }] }) });
  expect(await runChangeRequests("--pull", "--yes")).toMatchObject({ status: 0, stderr: "" });
  expect(emulator.requests()).not.toHaveProperty("pullIntoChangeRequest");
});

it("stops at the first failure, and says what was updated before", async () => {
  const emulator = await outdated();
  emulator.fault({ row: "pullIntoChangeRequest", skip: 1, status: 403 });
  const { status, stdout, stderr } = await runChangeRequests("--pull", "--yes");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/change request \S+: .* 403/);
  expect(stderr).toContain("docs-org: updated: guides #1\n");
});

/** A terminal in the place of the standard input and of stderr, with what a person types. */
function typing(text: string): void {
  const [stdin, isTTY] = [process.stdin, process.stderr.isTTY];
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  terminal.end(text);
  Object.defineProperty(process, "stdin", { value: terminal, configurable: true });
  process.stderr.isTTY = true;
  onTestFinished(() => {
    Object.defineProperty(process, "stdin", { value: stdin, configurable: true });
    process.stderr.isTTY = isTTY;
  });
}

it.each([
  ["y\n", 2],
  ["Yes\n", 2],
  ["no\n", 0],
  ["\n", 0],
  ["", 0],
])("asks in a terminal; the answer %j updates %i", async (answer, updated) => {
  const emulator = await outdated();
  typing(answer);
  const { status, stdout, stderr } = await runChangeRequests("--pull");
  expect(status).toBe(0);
  expect(stderr).toContain("Update 2 change requests with the content of their spaces? [y/N] ");
  expect(stdout).toContain("the oldest first (2)");
  expect(emulator.requests().pullIntoChangeRequest ?? 0).toBe(updated);
  expect(stderr.includes("nothing was updated")).toBe(updated === 0);
});
