import { expect } from "vitest";
import { type ContentEdit, editChangeRequest, editSpace } from "../../provider/emulator";
import { contentSeed, listPath, requestPath, type SeedSpace } from "./content-support";
import { idOfItem, startEmulated } from "./support";

/** How each difference in change requests and their content shows; differences.test.ts runs them. */

const seed = contentSeed();
const content = `${requestPath}/content`;
const at = { space: "guides", changeRequest: 1 };
const page = (markdown: string): SeedSpace["pages"] => [{ id: "home", title: "Home", markdown }];

export const contentShown: Record<string, () => Promise<void>> = {
  changeRequestOrder: async () => {
    const { call } = await startEmulated({ seed });
    const { id } = (await call("POST", listPath, {})).body;
    await call("PATCH", requestPath, { subject: "Changed last" });
    expect((await call("GET", `${listPath}?status=draft`)).body.items.map(idOfItem)).toEqual([id, "cr_1"]);
  },
  createdSubject: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("POST", listPath, { subject: "x".repeat(200) })).body.subject).toHaveLength(100);
    expect((await call("POST", listPath, {})).body.subject).toBe("");
  },
  createdProperties: async () => {
    const { call } = await startEmulated({ seed, version: "0.202" });
    expect((await call("POST", listPath, { agentTaskId: "x", template: { id: "x" } })).status).toBe(201);
    expect((await call("POST", listPath, { anything: 1 })).body).not.toHaveProperty("anything");
  },
  afterMerge: async () => {
    const changeRequests: SeedSpace["changeRequests"] = [{ id: "cr_1", status: "archived" }];
    const { call } = await startEmulated({ seed: contentSeed({ changeRequests }) });
    for (const action of ["update", "merge", "update", "merge"])
      expect((await call("POST", `${requestPath}/${action}`)).status).toBe(200);
    expect((await call("PATCH", requestPath, { status: "open" })).status).toBe(200);
  },
  mergeRules: async () => {
    const changeRequests = [{ id: "cr_1", requestedReviewers: ["user_x"] }];
    const { call } = await startEmulated({ seed: contentSeed({ changeRequests }) });
    expect((await call("POST", `${requestPath}/merge`)).status).toBe(200);
  },
  conflicts: async () => {
    const { call, state } = await startEmulated({ seed });
    const edits = (markdown: string, more: object): ContentEdit[] => [
      { editPage: { page: "home", markdown, ...more } },
    ];
    editSpace(state, "guides", edits("Theirs.", { title: "Theirs" }));
    editChangeRequest(state, at, edits("Ours.", {}));
    expect((await call("POST", `${requestPath}/update`)).body.result).toBe("conflicts");
    const home = (await call("GET", `${content}/page/home?format=markdown`)).body;
    expect([home.markdown, home.title]).toEqual(["Ours.", "Home"]);
  },
  pdf: async () => {
    const { call, url: own } = await startEmulated({ seed });
    const { url } = (await call("GET", `${requestPath}/pdf`)).body;
    expect(new URL(url).origin).toBe(own);
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(await answer.text()).toMatch(/^%PDF-/);
    expect((await fetch(url.replace(".pdf", "x.pdf"))).status).toBe(404);
    expect((await call("GET", `${requestPath}/pdf?page=none`)).status).toBe(400);
  },
  contentAddresses: async () => {
    const { call } = await startEmulated({ seed });
    const { urls, files } = (await call("GET", content)).body;
    for (const url of [urls.app, files[0].downloadURL]) expect(new URL(url).hostname).toMatch(/\.docs\.example$/);
  },
  documentsOnly: async () => {
    for (const setting of [{ type: "computed" }, { layout: {} }, { cover: {} }, { variables: {} }]) {
      const pages = [{ title: "Home", ...setting }] as SeedSpace["pages"];
      await expect(startEmulated({ seed: contentSeed({ pages }) })).rejects.toThrow(/pages\[0\]/);
    }
  },
  gitSynchronization: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("GET", content)).body).not.toHaveProperty("git");
  },
  richTextBlocks: async () => {
    const { call } = await startEmulated({
      seed: contentSeed({ pages: page("# A\n\n- one\n- two\n\n```\ncode\n```\n") }),
    });
    const { nodes } = (await call("GET", `${content}/page/home?format=document`)).body.document;
    expect(nodes.map(({ type }: { type: string }) => type)).toEqual(["heading-1", "paragraph", "paragraph"]);
  },
  expressions: async () => {
    const { call } = await startEmulated({ seed: contentSeed({ pages: page("{{ space.vars.year }}") }) });
    const { markdown } = (await call("GET", `${content}/page/home?format=markdown&evaluated=true`)).body;
    expect(markdown).toBe("{{ space.vars.year }}");
  },
  linkSyntax: async () => {
    const { call, state } = await startEmulated({
      seed: contentSeed({ pages: page("[one](home) [other](page:home)") }),
    });
    const links = async () => (await call("GET", `${content}/page/home/links`)).body;
    expect((await links()).stats).toEqual({ total: 1, broken: { total: 0, changeRequest: 0 } });
    editChangeRequest(state, at, [{ editPage: { page: "home", slug: "start" } }]);
    expect((await links()).stats).toEqual({ total: 2, broken: { total: 1, changeRequest: 1 } });
    expect((await call("GET", `${content}/page/home/backlinks`)).body.count).toBe(1);
  },
  linksWithinSpace: async () => {
    const target = { kind: "user", user: "user_x" } as const;
    const pages: SeedSpace["pages"] = [{ id: "home", title: "Home", type: "link", target }];
    const { call } = await startEmulated({ seed: contentSeed({ pages }) });
    const { items } = (await call("GET", `${content}/page/home/links`)).body;
    expect([items.length, items[0].status, items[0].targetReference]).toEqual([1, "ok", undefined]);
  },
  linkContext: async () => {
    const { call } = await startEmulated({ seed });
    const { items } = (await call("GET", `${content}/files/logo/backlinks`)).body;
    expect(items).toHaveLength(2);
    for (const { versionContext } of items) expect(versionContext.type).toBe("revision");
  },
  changeShapes: async () => {
    const { call, state } = await startEmulated({ seed });
    editChangeRequest(state, at, [{ setVariables: { year: 1 } }]);
    const attributes = { year: { before: 2026, after: 1 } };
    expect((await call("GET", `${requestPath}/changes`)).body.changes).toEqual([
      { type: "variables_edited", attributes },
    ]);
    for (const kind of [
      "movePage",
      "addFile",
      "editFile",
      "addReusableContent",
      "editReusableContent",
      "deleteReusableContent",
    ]) {
      expect(() => editSpace(state, "guides", [{ [kind]: {} } as unknown as ContentEdit])).toThrow("no such property");
    }
  },
  changesEnvelope: async () => {
    const { call } = await startEmulated({ seed });
    expect((await call("GET", `${requestPath}/changes`)).body).toEqual({ changes: [], more: 0 });
    await call("POST", `${requestPath}/merge`);
    expect((await call("GET", `${requestPath}/changes`)).body.mergedFrom.id).toBe("cr_1");
  },
  goneInNewer: async () => {
    const { call } = await startEmulated({ seed, version: "0.202" });
    expect((await call("GET", `${content}/page/home/links`)).status).toBe(404);
    expect((await call("GET", `${listPath}?conversationsIssuesCluster=x`)).status).toBe(400);
  },
  editing: async () => {
    const { call, state } = await startEmulated({ seed });
    expect((await call("POST", content, {})).status).toBe(405);
    editChangeRequest(state, at, [{ deletePage: { page: "team" } }]);
    expect((await call("GET", `${content}/pages`)).body.pages).toHaveLength(2);
  },
};
