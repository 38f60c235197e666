import { expect, onTestFinished, test } from "vitest";
import { type Client, createClient } from "../../provider/api/client";
import { ApiError, DocsError } from "../../provider/api/http/errors";
import { type EmulatorOptions, editChangeRequest, editSpace, type State, startEmulator } from "../../provider/emulator";
import { contentSeed } from "../emulator/content-support";

/** Our client against the emulator, for each row of change requests and their content. */

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

test.each([0, 1, 2, 3, 4])("a list of %i change requests with a limit of 3 is iterated to its end", async (count) => {
  const changeRequests = Array.from({ length: count }, () => ({ status: "open" as const, createdBy: "user_x" }));
  const { client } = await start({ seed: contentSeed({ changeRequests }) });
  const query = { limit: 3, creator: "user_x" };
  const expected = Array.from({ length: count }, (_, index) => count - index);
  const lists = [
    client.listSpaceChangeRequests({ spaceId, query }),
    client.listOrganizationChangeRequests({ organizationId: "acme", query }),
  ];
  for (const list of lists) {
    const numbers: number[] = [];
    for await (const { number } of list) numbers.push(number);
    expect(numbers).toEqual(expected);
  }
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
  await expect(missing).rejects.toThrow("could not read page setup/none of change request cr_1 of space guides");
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

test("operations that the newer version removed are 404 there", async () => {
  const { client } = await start({ version: "0.202" });
  for (const read of [
    () => client.listFileBacklinks({ ...byId, fileId: "logo" }).all(),
    () => client.listPageLinks({ ...byId, pageId: "home" }).all(),
    () => client.listPageBacklinks({ ...byId, pageId: "home" }).all(),
  ]) {
    await expect(read()).rejects.toSatisfy((error) => error instanceof ApiError && error.status === 404);
  }
});

/** Each of them is wrong for the types, and refused before anything is sent. */
const wrong: Record<string, (client: Client) => PromiseLike<unknown>> = {
  // @ts-expect-error the space is missing
  listSpaceChangeRequests: (client) => client.listSpaceChangeRequests({}),
  listOrganizationChangeRequests: (client) =>
    // @ts-expect-error there is no such status
    client.listOrganizationChangeRequests({ organizationId: "acme", query: { status: "closed" } }),
  // @ts-expect-error the body is missing
  createChangeRequest: (client) => client.createChangeRequest({ spaceId }),
  // @ts-expect-error the change request is missing
  getChangeRequest: (client) => client.getChangeRequest({ spaceId }),
  // @ts-expect-error only a merge makes it merged
  updateChangeRequest: (client) => client.updateChangeRequest({ ...byId, body: { status: "merged" } }),
  // @ts-expect-error there is no such property
  updateUnknown: (client) => client.updateChangeRequest({ ...byId, body: { title: "x" } }),
  // @ts-expect-error the change request is missing
  mergeChangeRequest: (client) => client.mergeChangeRequest({ spaceId }),
  // @ts-expect-error the space is missing
  pullIntoChangeRequest: (client) => client.pullIntoChangeRequest({ changeRequestId: 1 }),
  // @ts-expect-error only is a boolean
  getChangeRequestPdf: (client) => client.getChangeRequestPdf({ ...byId, query: { only: "yes" } }),
  // @ts-expect-error there is no such parameter
  getContent: (client) => client.getContent({ ...byId, query: { format: "markdown" } }),
  // @ts-expect-error the space is missing
  listContentPages: (client) => client.listContentPages({ changeRequestId: 1 }),
  // @ts-expect-error a limit is a number
  listContentFiles: (client) => client.listContentFiles({ ...byId, query: { limit: "1" } }),
  // @ts-expect-error the file is missing
  getContentFile: (client) => client.getContentFile(byId),
  // @ts-expect-error the file is missing
  listFileBacklinks: (client) => client.listFileBacklinks(byId),
  // @ts-expect-error there is no such format
  getContentPage: (client) => client.getContentPage({ ...byId, pageId: "home", query: { format: "html" } }),
  // @ts-expect-error the page is missing
  listPageLinks: (client) => client.listPageLinks(byId),
  // @ts-expect-error the page is missing
  listPageBacklinks: (client) => client.listPageBacklinks(byId),
  // @ts-expect-error the reusable content is missing
  getReusableContent: (client) => client.getReusableContent(byId),
  // @ts-expect-error the path is missing
  getContentPageByPath: (client) => client.getContentPageByPath(byId),
  // @ts-expect-error changes have no pages
  listChanges: (client) => client.listChanges({ ...byId, query: { page: "x" } }),
};

test.each(Object.entries(wrong))("a wrong call of %s is not sent", async (_, call) => {
  const client = createClient({ baseUrl: "http://127.0.0.1:9", token: "none" });
  // Not one of its subclasses, which report failed requests.
  await expect(async () => call(client)).rejects.toSatisfy((error) => (error as Error).constructor === DocsError);
  await client.close();
});
