import { expect, it } from "vitest";
import { changeRequestFormats } from "../../provider/change-requests/formats";
import type { OpenChangeRequests } from "../../provider/change-requests/report";
import type { SeedContent } from "../../provider/emulator/spaces/seed";
import { emulate } from "../support/docs-org";
import { runChangeRequests, seedWithContent } from "./support";

type Seeded = NonNullable<SeedContent["changeRequests"]>;

const reportOf = async (...args: string[]): Promise<OpenChangeRequests> => {
  const { status, stdout, stderr } = await runChangeRequests("--format", "json", ...args);
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
};

async function withOpen(...all: Seeded) {
  return emulate({ seed: seedWithContent({ changeRequests: all.map((one) => ({ status: "open", ...one })) }) });
}

it("lists the open change requests of the organization, the oldest first, and changes nothing", async () => {
  const emulator = await emulate();
  const report = await reportOf();
  const found = report.changeRequests.map(({ space, number, outdated }) => [space, number, outdated]);
  expect(found).toEqual([
    ["guides", 1, true],
    ["guides", 4, false],
    ["reference", 1, false],
  ]);
  expect(report.changeRequests[0]).toMatchObject({
    subject: "Explain rollback in detail",
    author: { id: "user_dana", email: "dana@acme.test" },
    comments: 2,
    url: expect.stringMatching(/^https:/),
  });
  expect(report).toMatchObject({ version: 1, organization: "acme", links: "checked", pulled: [] });
  expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("lists those of one space", async () => {
  const emulator = await emulate();
  const report = await reportOf("--space", "reference");
  expect(report.changeRequests.map(({ id }) => id)).toHaveLength(1);
  expect(report.space).toBe("reference");
  expect(emulator.requests()).not.toHaveProperty("listOrganizationChangeRequests");
});

it("counts the age from the time of the service", async () => {
  const createdAt = "2026-03-01T12:00:00Z";
  const seed = seedWithContent({ changeRequests: [{ status: "open", createdAt }] });
  await emulate({ seed, now: () => new Date("2026-03-15T11:00:00Z") });
  expect((await reportOf()).changeRequests[0]?.ageDays).toBe(13);
  expect((await runChangeRequests("--fail-on", "age=14d")).status).toBe(0);
  expect((await runChangeRequests("--fail-on", "age=335h")).status).toBe(2);
});

it("finds links that break on pages that the change request does not touch, and not those that were broken before", async () => {
  await withOpen({ edits: [{ deletePage: { page: "faq" } }] });
  expect((await reportOf()).changeRequests[0]?.brokenLinks).toEqual([
    { page: { id: "home", title: "Home", path: "home" }, broken: 1, total: 1, targets: [] },
  ]);
});

it("finds links that an edit adds, and asks for the links of the edited page only", async () => {
  const emulator = await withOpen({ edits: [{ editPage: { page: "setup", markdown: "[a](gone) and [b](lost)" } }] });
  expect((await reportOf()).changeRequests[0]?.brokenLinks).toMatchObject([
    { page: { id: "setup" }, broken: 1, total: 2 },
  ]);
  expect(emulator.requests()).toEqual({ listOrganizationChangeRequests: 1, listChanges: 1, listPageLinks: 2 });
});

it("names the targets of broken links as far as the service does", async () => {
  const emulator = await withOpen({ edits: [{ editPage: { page: "home", markdown: "New." } }] });
  const target = { kind: "url", url: "https://gone.test/" };
  const link = { status: "broken", relation: "reference", targetReference: target, locationReferences: [] };
  const body = { items: [link], stats: { total: 1, broken: { total: 1 } } };
  emulator.fault({ row: "listPageLinks", times: 2, status: 200, body });
  const { stdout } = await runChangeRequests();
  expect(stdout).toContain("  guides #1: page home: 1 link to https://gone.test/\n");
});

it("says that a newer service has no links, and asks it once for each change request", async () => {
  const changed: Seeded = [{ status: "open", edits: [{ deletePage: { page: "faq" } }] }];
  const newer = await emulate({ version: "0.202", seed: seedWithContent({ changeRequests: changed }) });
  const report = await reportOf();
  expect(report.links).toBe("unavailable");
  expect(report.changeRequests[0]).not.toHaveProperty("brokenLinks");
  expect(newer.requests()).toMatchObject({ listPageLinks: 1, getContentPage: 1 });
  expect((await runChangeRequests()).stdout).toContain("no links of pages");
  expect(await runChangeRequests("--fail-on", "broken-links")).toMatchObject({
    status: 1,
    stderr: expect.toHaveWording("broken links of a version without links"),
  });
});

it("does not take a page that was deleted meanwhile for a service without links", async () => {
  const emulator = await withOpen({ edits: [{ editPage: { page: "home", markdown: "[x](lost)" } }] });
  emulator.fault({ row: "listPageLinks", status: 404 });
  emulator.fault({ row: "getContentPage", status: 404 });
  expect(await reportOf()).toMatchObject({ links: "checked", changeRequests: [{ brokenLinks: [] }] });
});

it("describes each kind of change", async () => {
  await emulate();
  const { stdout } = await runChangeRequests();
  expect(stdout).toMatch(/^3 open .* 1 is outdated, 1 breaks links, .* \d+ days\.\n/);
  expect(stdout).toContain("  guides #1: ~ page deployment/rollback (markdown)\n");
  expect(stdout).toContain("  guides #4: − page deployment/release-notes; ~ variables (version)\n");
});

it("describes moved pages, and changes of files and reusable contents", async () => {
  const emulator = await withOpen({ edits: [] });
  const file = {
    id: "file_1",
    name: "pipeline.svg",
    contentType: "image/svg+xml",
    downloadURL: "https://files.test/1",
  };
  const reusableContent = { id: "reusable_1", title: "Support" };
  const page = { id: "faq", type: "document", title: "Faq", path: "faq" };
  const changes = [
    { type: "page_moved", page, parent: { before: { ...page, id: "setup", title: "Setup" } } },
    { type: "file_created", file },
    { type: "file_edited", file, attributes: { name: { before: "old.svg", after: "pipeline.svg" } } },
    { type: "reusable_content_created", reusableContent },
    { type: "reusable_content_edited", reusableContent, attributes: { markdown: { after: "x" } } },
    { type: "reusable_content_deleted", reusableContent },
  ];
  emulator.fault({ row: "listChanges", status: 200, body: { changes, more: 0 } });
  expect((await runChangeRequests()).stdout).toContain(
    "  guides #1: ↔ page faq from Setup to the top; + file pipeline.svg; ~ file pipeline.svg (name); + reusable content Support; " +
      "~ reusable content Support (markdown); − reusable content Support\n",
  );
});

it("shows the name of a kind of change that it does not know", async () => {
  const emulator = await withOpen({ edits: [] });
  emulator.fault({ row: "listChanges", status: 200, body: { changes: [{ type: "tag_created", tag: {} }] } });
  expect((await runChangeRequests()).stdout).toContain("  guides #1: tag_created\n");
});

it("says that no change request is open", async () => {
  await withOpen();
  expect((await runChangeRequests("--fail-on", "outdated")).stdout).toMatch(/^No change request is open\.\n/);
});

it.each(["text", "markdown", "html", "json"])("masks the token in %s, if the service repeats it", async (format) => {
  const token = "a-token-that-is-long-enough";
  const seed = seedWithContent({ changeRequests: [{ status: "open", subject: token }] });
  await emulate({ token, seed });
  // The helper refuses a token in the output.
  expect((await runChangeRequests("--format", format)).stdout).toContain("[token]");
});

it("links to the change requests, by safe addresses only", async () => {
  await withOpen({ edits: [] });
  const report = await reportOf();
  const shown = (url: string) => {
    const changeRequests = report.changeRequests.map((one) => ({ ...one, url }));
    return (["html", "markdown", "text"] as const).map((format) =>
      changeRequestFormats[format]({ ...report, changeRequests }),
    );
  };
  const [page, comment, text] = shown("https://app.acme.test/r/1?a=1&b=`<x>");
  expect(page).toContain('<a href="https://app.acme.test/r/1?a=1&amp;b=%60%3Cx%3E">https://app.acme.test/r/1?a=1&amp;');
  expect(comment).toContain("<https://app.acme.test/r/1?a=1&b=%60%3Cx%3E>");
  expect(text).toContain(", https://app.acme.test/r/1?a=1&b=%60%3Cx%3E\n");
  for (const url of ["javascript:alert(1)", "data:text/html,x", "https://acme.test@evil.test/", "no address"]) {
    const [page = "", comment = ""] = shown(url);
    expect(page).toContain(`<code>${url}</code>`);
    expect(page).not.toContain('<a href="');
    expect(comment).toContain(`\`${url}\``);
  }
});
