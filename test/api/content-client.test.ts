import { expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { type EmulatorOptions, editChangeRequest, editSpace, type State, startEmulator } from "../../provider/emulator";
import { contentSeed } from "../emulator/content-support";

interface Started {
  readonly client: Client;
  readonly state: State;
}

async function start(options: EmulatorOptions = {}): Promise<Started> {
  const emulator = await startEmulator({ seed: contentSeed(), ...options });
  const client = createClient({ baseUrl: emulator.url, token: emulator.token });
  onTestFinished(async () => {
    await client.close();
    await emulator.close();
  });
  return { client, state: emulator.state };
}

const spaceId = "guides";
const byId = { spaceId, changeRequestId: "cr_1" };
const byNumber = { spaceId, changeRequestId: 1 };
const idOf = ({ id }: { id: string }) => id;

test("change requests are created, read by id and by number, updated and listed", async () => {
  const { client } = await start();
  const created = await client.createChangeRequest({ spaceId, body: { subject: "Second" } });
  expect([created.number, created.status, created.createdBy?.object]).toEqual([2, "draft", "user"]);
  expect(await client.getChangeRequest({ spaceId, changeRequestId: created.id })).toEqual(created);
  expect(await client.getChangeRequest({ spaceId, changeRequestId: 2 })).toEqual(created);
  const description = { object: "document" as const, data: {}, nodes: [] };
  const updated = await client.updateChangeRequest({ ...byNumber, body: { status: "open", description } });
  expect([updated.id, updated.status, updated.description]).toEqual(["cr_1", "open", description]);
  const { items, count, next } = await client.listSpaceChangeRequests({ spaceId });
  expect([items.map(idOf), count, next]).toEqual([["cr_1"], 1, undefined]);
  const drafts = client.listOrganizationChangeRequests({ organizationId: "acme", query: { status: "draft" } });
  expect((await drafts.all()).map(idOf)).toEqual([created.id]);
});

test("a change request is pulled into and merged, with its conflicts", async () => {
  const { client, state } = await start();
  editChangeRequest(state, { space: spaceId, changeRequest: 1 }, [{ editPage: { page: "home", markdown: "Mine." } }]);
  editSpace(state, spaceId, [{ editPage: { page: "home", markdown: "Theirs." } }]);
  expect((await client.getChangeRequest(byId)).outdated).toBe(true);
  expect(await client.pullIntoChangeRequest(byNumber)).toMatchObject({ result: "conflicts" });
  const { revision, result } = await client.mergeChangeRequest(byId);
  expect(result).toBe("merge");
  expect(await client.getChangeRequest(byId)).toMatchObject({ status: "merged", revisionMerged: revision });
});

test("the PDF has an address", async () => {
  const { client } = await start();
  const { url } = await client.getChangeRequestPdf({ ...byId, query: { page: "home", only: true } });
  expect(URL.canParse(url)).toBe(true);
});

test("content, pages, files and reusable contents are read", async () => {
  const { client } = await start();
  const content = await client.getContent(byId);
  expect([content.type, content.pages.length]).toEqual(["edits", 3]);
  expect(await client.getContent({ ...byNumber, query: { metadata: false, computed: false } })).toEqual(content);
  const { pages } = await client.listContentPages(byId);
  expect(pages.map(idOf)).toEqual(content.pages.map(idOf));
  const names: string[] = [];
  for await (const { name } of client.listContentFiles({ ...byId, query: { limit: 1 } })) names.push(name);
  expect(names).toEqual(["logo.png", "paper.pdf"]);
  const file = await client.getContentFile({ ...byId, fileId: "logo", query: { metadata: false } });
  expect(file.size).toBe(10);
  expect((await client.getReusableContent({ ...byId, reusableContentId: "note" })).title).toBe("Note");
});

test("a page is read by its id, and by its path in one segment", async () => {
  const { client } = await start();
  const query = { format: "markdown", evaluated: "deterministic-only" } as const;
  const page = await client.getContentPage({ ...byId, pageId: "setup", query });
  expect(page).toMatchObject({ type: "document", markdown: expect.stringContaining("For {{") });
  const found = await client.getContentPageByPath({
    ...byNumber,
    pagePath: "setup/linux",
    query: { format: "document" },
  });
  expect([found.id, found.type === "document" && found.document?.object]).toEqual(["linux", "document"]);
  const missing = client.getContentPageByPath({ ...byId, pagePath: "setup/none" });
  await expect(missing).rejects.toThrow("page setup/none of change request cr_1");
});

test("links come with their statistics, and backlinks one after the other", async () => {
  const { client } = await start();
  const { items, stats } = await client.listPageLinks({ ...byId, pageId: "linux", query: { limit: 2 } });
  expect([items.length, stats]).toEqual([2, { total: 4, broken: { total: 1, changeRequest: 0 } }]);
  const statuses: string[] = [];
  for await (const { status } of client.listPageLinks({ ...byId, pageId: "linux", query: { limit: 1 } })) {
    statuses.push(status);
  }
  expect(statuses).toEqual(["ok", "ok", "broken", "ok"]);
  const ofPage = await client.listPageBacklinks({ ...byId, pageId: "home", query: { limit: 1 } }).all();
  const ofFile = await client.listFileBacklinks({ ...byNumber, fileId: "logo" }).all();
  const kinds = [ofPage, ofFile].map((references) => references.map(({ kind }) => kind));
  expect(kinds).toEqual([["page"], ["page", "page"]]);
});

test("changes are read up to the limit", async () => {
  const { client, state } = await start();
  const edits = [{ setVariables: { year: 2027 } }, { deletePage: { page: "home" } }];
  editChangeRequest(state, { space: spaceId, changeRequest: "cr_1" }, edits);
  const { changes, more, mergedFrom } = await client.listChanges({ ...byId, query: { limit: 1 } });
  expect([changes.map(({ type }) => type), more, mergedFrom]).toEqual([["page_deleted"], 1, undefined]);
});
