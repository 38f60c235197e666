import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { emulate, freshFolder } from "../support/docs-org";
import { serve } from "../support/http-server";
import { runChangeRequests } from "./support";

const names = [
  "guides-1-explain-rollback-in-detail.pdf",
  "guides-4-tidy-up.pdf",
  "reference-1-say-how-long-to-wait.pdf",
];

it("saves a PDF of each change request, and overwrites none without --force", async () => {
  await emulate();
  const out = path.join(freshFolder(), "new", "pdfs");
  const { status, stderr } = await runChangeRequests("--pdf", out);
  expect([status, stderr]).toEqual([0, expect.toHaveWording("the PDFs that were written")]);
  expect(readdirSync(out).sort()).toEqual(names);
  expect(readFileSync(path.join(out, "guides-4-tidy-up.pdf"), "latin1")).toMatch(/^%PDF-[\s\S]*%%EOF\n$/);

  writeFileSync(path.join(out, "guides-4-tidy-up.pdf"), "signed");
  const again = await runChangeRequests("--pdf", out);
  expect(again).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^docs-org: nothing was written: .*--force/),
  });
  expect(readFileSync(path.join(out, "guides-4-tidy-up.pdf"), "utf8")).toBe("signed");
  expect((await runChangeRequests("--pdf", out, "--force")).status).toBe(0);
  expect(readFileSync(path.join(out, "guides-4-tidy-up.pdf"), "latin1")).toMatch(/^%PDF-/);
});

it("saves none if one of them cannot be read", async () => {
  const emulator = await emulate();
  const out = freshFolder();
  emulator.fault({ row: "getChangeRequestPdf", skip: 2, status: 404 });
  expect((await runChangeRequests("--pdf", out)).status).toBe(1);
  expect(readdirSync(out)).toEqual([]);
});

it("refuses a folder in the place of a file", async () => {
  const emulator = await emulate();
  const out = freshFolder();
  mkdirSync(path.join(out, "guides-4-tidy-up.pdf"));
  const { status, stderr } = await runChangeRequests("--pdf", out, "--force");
  expect([status, stderr]).toEqual([1, expect.stringMatching(/guides-4-tidy-up\.pdf already exists as a folder/)]);
  expect(emulator.requests()).not.toHaveProperty("getChangeRequestPdf");
});

it.each([
  [
    "plain HTTP",
    "http://files.test/1.pdf",
    /answered an address at http:\/\/files\.test, and files are read over https only/,
  ],
  ["a host that does not answer", "http://127.0.0.1:9/1.pdf", /no file from 127\.0\.0\.1:9 \(.*ECONNREFUSED/],
])("does not save from %s", async (_name, url, message) => {
  const emulator = await emulate();
  emulator.fault({ row: "getChangeRequestPdf", status: 200, body: { url } });
  const { status, stderr } = await runChangeRequests("--space", "reference", "--pdf", freshFolder());
  expect([status, stderr]).toEqual([1, expect.stringMatching(message)]);
});

it("sends no token to the address of the file, and refuses an answer that is no PDF", async () => {
  const files = await serve((response) => response.end("<html>Sign in</html>"));
  onTestFinished(() => files.close());
  const emulator = await emulate();
  emulator.fault({ row: "getChangeRequestPdf", status: 200, body: { url: `${files.url}/1.pdf` } });
  const { status, stderr } = await runChangeRequests("--space", "reference", "--pdf", freshFolder());
  expect([status, files.received.map(({ headers }) => headers.authorization)]).toEqual([1, [undefined]]);
  expect(stderr).toHaveWording("an answer that is no PDF");
});
