import { expect, test } from "vitest";
import { type ContentEdit, editChangeRequest, editSpace } from "../../provider/emulator";
import { contentSeed, listPath, requestPath, type SeedSpace } from "./content-support";
import { idOfItem, sites, startEmulated } from "./support";

const seed = contentSeed();
const at = { space: "guides", changeRequest: 1 };
const paragraph = { object: "block", type: "paragraph", isVoid: false, data: {}, nodes: [] };
const description = { object: "document", data: { schemaVersion: 1 }, nodes: [paragraph] };

const editHome = (markdown: string): ContentEdit[] => [{ editPage: { page: "home", markdown } }];

test("a new change request is a draft with the next number of its space, and has an address", async () => {
  const { call, url } = await startEmulated({ seed, now: () => new Date("2026-11-21T12:00:00Z") });
  const { status, headers, body } = await call("POST", listPath, { subject: "Second" });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    object: "change-request",
    id: expect.stringMatching(/^[a-zA-Z0-9_-]+$/),
    number: 2,
    status: "draft",
    subject: "Second",
    createdBy: { object: "user", displayName: expect.any(String) },
    createdAt: "2026-11-21T12:00:00.000Z",
    space: "guides",
    comments: 0,
    outdated: false,
  });
  expect(body.revision).toBe(body.revisionInitial);
  for (const absent of ["description", "revisionMerged", "revisionMergedAncestor"])
    expect(body).not.toHaveProperty(absent);
  expect(headers.get("location")).toBe(body.urls.location);
  expect((await call("GET", body.urls.location.slice(url.length))).body).toEqual(body);
  expect((await call("POST", "/v1/spaces/other/change-requests", {})).body).toMatchObject({ number: 1, subject: "" });
});

test("a change request is found only by its id and by its number", async () => {
  const { call } = await startEmulated({ seed });
  const { body } = await call("GET", requestPath);
  expect((await call("GET", `${listPath}/1`)).body).toEqual(body);
  for (const [path, message] of [
    [`${listPath}/2`, 'there is no change request "2"'],
    [`${listPath}/1.0`, 'there is no change request "1.0"'],
    ["/v1/spaces/other/change-requests/cr_1", 'there is no change request "cr_1"'],
    ["/v1/spaces/nowhere/change-requests/1", 'there is no space "nowhere"'],
  ] as const) {
    const answer = await call("GET", path);
    expect([answer.status, answer.body]).toEqual([404, { error: { code: 404, message } }]);
  }
});

test("an update sets the sent properties, and nothing else", async () => {
  let now = new Date("2026-11-21T12:00:00Z");
  const { call } = await startEmulated({ seed, now: () => now });
  const before = (await call("GET", requestPath)).body;
  expect((await call("PATCH", requestPath, {})).body).toEqual(before);
  now = new Date("2026-11-21T13:00:00Z");
  const { status, body } = await call("PATCH", `${listPath}/1`, { subject: "", description, status: "open" });
  const changed = { subject: "", description, status: "open", updatedAt: "2026-11-21T13:00:00.000Z" };
  expect([status, body]).toEqual([200, { ...before, ...changed }]);
  for (const next of ["draft", "archived", "open"]) {
    expect((await call("PATCH", requestPath, { status: next })).body.status).toBe(next);
  }
});

test("a merge makes a revision of the space", async () => {
  const { call, state } = await startEmulated({ seed, version: "0.202" });
  editChangeRequest(state, at, editHome("Changed.\n"));
  const { status, body } = await call("POST", `${requestPath}/merge`);
  expect([status, body]).toEqual([200, { revision: expect.any(String), result: "merge" }]);
  const merged = (await call("GET", requestPath)).body;
  expect(merged).toMatchObject({ status: "merged", revisionMerged: body.revision, outdated: false, mergedBy: {} });
  expect(Date.parse(merged.mergedAt)).not.toBeNaN();
  const guides = state.organizations.get("acme")?.spaces.get("guides");
  expect(guides?.revision).toBe(body.revision);
  expect((await call("PATCH", requestPath, { subject: "Still mine" })).body.subject).toBe("Still mine");
  // A change request made now starts from the revision of the merge.
  const next = (await call("POST", listPath, {})).body;
  const { type, mergedFrom, parents } = (await call("GET", `${listPath}/${next.number}/content`)).body;
  expect([next.revisionInitial, type, mergedFrom.id]).toEqual([body.revision, "merge", "cr_1"]);
  expect(parents).toEqual([merged.revisionInitial, merged.revision]);
});

test("a merged change request can be merged, updated and reopened without undoing later changes", async () => {
  const { call, state } = await startEmulated({ seed });
  const [home, linux] = ["home", "linux"].map((id) => `${requestPath}/content/page/${id}?format=markdown`);
  const textAt = async (path = "") => (await call("GET", path)).body.markdown;
  // A new change request has the content of the space.
  const textOfSpace = async (page = "") => {
    const { id } = (await call("POST", listPath, {})).body;
    return textAt(page.replace("cr_1", id));
  };
  editChangeRequest(state, at, editHome("Ours.\n"));
  await call("POST", `${requestPath}/merge`);
  editSpace(state, "guides", editHome("Later.\n"));
  expect((await call("POST", `${requestPath}/merge`)).body.result).toBe("merge");
  expect([await textOfSpace(home), await textAt(home)]).toEqual(["Later.\n", "Ours.\n"]);
  expect((await call("POST", `${requestPath}/update`)).body.result).toBe("update");
  expect(await textAt(home)).toBe("Later.\n");
  const opened = (await call("PATCH", requestPath, { status: "open" })).body;
  expect(opened).toMatchObject({ status: "open", outdated: false, revisionMerged: expect.any(String) });
  editChangeRequest(state, at, [{ editPage: { page: "linux", markdown: "New.\n" } }]);
  expect((await call("POST", `${requestPath}/merge`)).body.result).toBe("merge");
  expect([await textOfSpace(home), await textOfSpace(linux)]).toEqual(["Later.\n", "New.\n"]);
});

test.each([
  ["another page", [{ editPage: { page: "mac", title: "macOS" } }], false],
  ["the same page in the same way", editHome("Mine.\n"), false],
  ["the same page in another way", editHome("Theirs.\n"), true],
  ["the same page by deleting it", [{ deletePage: { page: "home" } }], true],
  ["the same variable", [{ setVariables: { product: "Theirs" } }], true],
  ["another variable", [{ setVariables: { year: 2027 } }], false],
  ["the parent of a new page, by deleting it", [{ deletePage: { page: "setup" } }], true],
] as [name: string, edits: ContentEdit[], hasConflicts: boolean][])(
  "a change request is merged and updated after the space has changed %s",
  async (_, edits, hasConflicts) => {
    for (const action of ["merge", "update"]) {
      const { call, state } = await startEmulated({ seed });
      const windows = { id: "windows", title: "Windows" };
      const ourEdits: ContentEdit[] = [
        { setVariables: { product: "Mine" } },
        { addPage: { page: windows, under: "setup" } },
      ];
      editChangeRequest(state, at, [...editHome("Mine.\n"), ...ourEdits]);
      editSpace(state, "guides", edits);
      const { body } = await call("POST", `${requestPath}/${action}`);
      expect(body.result).toBe(hasConflicts ? "conflicts" : action);
      // Conflicts stop neither action: where both sides changed something, the change request wins. The content of the space
      // after a merge is that of a new change request.
      const reader = action === "merge" ? (await call("POST", listPath, {})).body.id : "cr_1";
      expect((await call("GET", `${listPath}/${reader}`)).body.outdated).toBe(false);
      const page = (await call("GET", `${listPath}/${reader}/content/page/home?format=markdown`)).body;
      expect(page.markdown).toBe("Mine.\n");
      expect((await call("GET", `${listPath}/${reader}/content/page/windows`)).status).toBe(200);
      expect((await call("GET", `${listPath}/${reader}/content`)).body.variables.product).toBe("Mine");
    }
  },
);

test("lists filter by status, creator, contributor, reviewer and cluster", async () => {
  const changeRequests: NonNullable<SeedSpace["changeRequests"]> = [
    { id: "draft" },
    { id: "by_ada", status: "open", createdBy: "user_ada", contributors: ["user_bea"] },
    { id: "by_bea", status: "open", createdBy: "user_bea", requestedReviewers: ["user_ada"] },
    { id: "cluster", status: "open", createdBy: "user_cem", conversationsIssuesCluster: "cluster_1" },
    { id: "archived", status: "archived" },
    { id: "merged", status: "merged" },
  ];
  const { call } = await startEmulated({ seed: contentSeed({ changeRequests }) });
  for (const path of [listPath, "/v1/orgs/acme/change-requests"]) {
    for (const [query, ids] of [
      ["", ["cluster", "by_bea", "by_ada"]],
      ["?status=open", ["cluster", "by_bea", "by_ada"]],
      ["?status=draft", ["draft"]],
      ["?status=archived", ["archived"]],
      ["?status=merged", ["merged"]],
      ["?creator=user_ada", ["by_ada"]],
      ["?contributor=user_bea", ["by_bea", "by_ada"]],
      ["?requestedReviewer=user_ada", ["by_bea"]],
      ["?conversationsIssuesCluster=cluster_1", ["cluster"]],
      ["?creator=user_ada&status=draft", []],
      ["?creator=nobody", []],
    ] as const) {
      const { items, count } = (await call("GET", path + query)).body;
      expect([query, items.map(idOfItem), count]).toEqual([query, ids, ids.length]);
    }
  }
  expect((await call("GET", `${listPath}/cluster`)).body.conversationsIssuesCluster).toBe("cluster_1");
});

test("the space counts its change requests and their comments after each change", async () => {
  const changeRequests = [{ comments: 2 }, { status: "open" as const, comments: 3 }, { status: "merged" as const }];
  const planted = contentSeed({ changeRequests });
  const acme = { ...planted.organizations.acme, sites: [{ id: "site_1", spaces: ["guides"], published: true }] };
  const { call } = await startEmulated({ seed: { organizations: { acme } } });
  const space = async () => (await call("GET", `${sites}/site_1/published`)).body.structure.structure[0].space;
  const counts = (changeRequests: number, changeRequestsOpen: number, changeRequestsDraft: number) => {
    return { comments: 5, changeRequests, changeRequestsOpen, changeRequestsDraft };
  };
  expect(await space()).toMatchObject(counts(3, 1, 1));
  await call("POST", listPath, {});
  expect(await space()).toMatchObject(counts(4, 1, 2));
  await call("PATCH", `${listPath}/1`, { status: "open" });
  expect(await space()).toMatchObject(counts(4, 2, 1));
  const { revision } = (await call("POST", `${listPath}/1/merge`)).body;
  expect(await space()).toMatchObject({ ...counts(4, 1, 1), revision });
});
