import { expect, it } from "vitest";
import { docsOrg, emulate } from "./support/docs-org";

it("DOCS_LOG=debug writes each attempt of a request to stderr, without query, body and token", async () => {
  const emulator = await emulate();
  process.env.DOCS_LOG = "debug";
  emulator.fault({ row: "getSite", status: 503 });
  emulator.fault({ row: "getPublishedSite", reset: "before" });
  const { status, stderr } = await docsOrg("check-site", "site_product", "--query", "private words");
  expect(status).toBe(1);
  const site = "/v1/orgs/acme/sites/site_product";
  // The last line says that the search found nothing.
  expect(
    stderr
      .replace(/ \d+ ms/g, " N ms")
      .split("\n")
      .slice(0, -2),
  ).toEqual([
    `docs-org: GET ${site} 503 N ms, attempt 1`,
    `docs-org: GET ${site} 200 N ms, attempt 2`,
    `docs-org: GET ${site}/published no answer N ms, attempt 1`,
    `docs-org: GET ${site}/published 200 N ms, attempt 2`,
    `docs-org: POST ${site}/search 200 N ms, attempt 1`,
  ]);
  expect(stderr).not.toContain(emulator.token);
});

it("leaves the query out, which may have the key of a share link", async () => {
  await emulate();
  process.env.DOCS_LOG = "debug";
  const { stderr } = await docsOrg("change-requests", "--space", "nowhere");
  expect(stderr).toContain("docs-org: GET /v1/spaces/nowhere/change-requests 404 ");
  expect(stderr).not.toContain("?");
});

it("refuses another value", async () => {
  const emulator = await emulate();
  process.env.DOCS_LOG = "trace";
  expect(await docsOrg("check-site", "site_product")).toEqual({
    status: 1,
    stdout: "",
    stderr: expect.toHaveWording("another DOCS_LOG"),
  });
  expect(emulator.requests()).toEqual({});
});
