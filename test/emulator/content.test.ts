import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import {
  type ContentEdit,
  type EmulatorOptions,
  editChangeRequest,
  editSpace,
  seedFromYaml,
} from "../../provider/emulator";
import { withIndexes } from "../../provider/emulator/members/indexes";
import { contentSeed, list, one } from "./content-support";
import { type Emulated, emulate, idOf } from "./support";

const seed = contentSeed();
const content = `${one}/content`;
const at = { space: "guides", changeRequest: "cr_1" };

interface Listed {
  readonly id: string;
  readonly path?: string;
  readonly pages?: readonly Listed[];
}

const tree = (pages: readonly Listed[]): unknown[] => pages.map(({ id, pages: below = [] }) => [id, ...tree(below)]);

const emulated = (options: EmulatorOptions = {}) => emulate({ seed, ...options });

test("the content is a revision with pages, files, reusable contents and variables", async () => {
  const { call } = await emulated();
  const { status, body } = await call("GET", content);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: "revision",
    id: (await call("GET", one)).body.revision,
    parents: [],
    type: "edits",
    createdAt: expect.any(String),
    urls: { app: expect.any(String) },
    variables: { product: "Docs", year: 2026, beta: true },
  });
  expect(tree(body.pages)).toEqual([["home"], ["setup", ["linux"], ["mac"], ["web"]], ["team", ["people"]], ["api"]]);
  expect(body.files.map(idOf)).toEqual(["logo", "paper"]);
  expect(body.reusableContents.map(idOf)).toEqual(["note"]);
  for (const absent of ["git", "tags"]) expect(body).not.toHaveProperty(absent);
  expect((await call("GET", `${list}/1/content`)).body).toEqual(body);
  expect((await call("GET", `${content}/pages`)).body).toEqual({ pages: body.pages });
});

test("each type of page has what belongs to it", async () => {
  const { call } = await emulated();
  const { pages } = (await call("GET", `${content}/pages`)).body;
  const [home, setup, team, api] = pages;
  expect(home).toMatchObject({ type: "document", kind: "sheet", slug: "home", path: "home", pages: [] });
  expect(home.layout).toEqual({
    width: "default",
    cover: true,
    coverSize: "hero",
    title: true,
    description: true,
    tableOfContents: true,
    outline: true,
    pagination: true,
    metadata: true,
  });
  for (const body of ["markdown", "document"]) expect(home).not.toHaveProperty(body);
  expect(setup.pages[0]).toMatchObject({ path: "setup/linux", urls: { app: expect.stringContaining("setup/linux") } });
  expect(setup.pages[2]).toMatchObject({ type: "link", kind: "link", target: { kind: "file", file: "logo" } });
  expect(team).toMatchObject({
    type: "group",
    kind: "group",
    slug: "team",
    path: "team",
    pages: [{ path: "team/people" }],
  });
  expect(api).toMatchObject({
    type: "document",
    computed: { type: "builtin:openapi" },
    computedSeed: expect.any(String),
  });
});

test("computed=false returns the sources of computed content", async () => {
  const { call } = await emulated();
  const api = (await call("GET", `${content}/page/api?computed=false`)).body;
  expect(api).toMatchObject({ type: "computed", id: "api", title: "API", computed: { type: "builtin:openapi" } });
  for (const absent of ["kind", "path", "layout", "pages"]) expect(api).not.toHaveProperty(absent);
  expect((await call("GET", `${content}?computed=false`)).body.pages[3]).toEqual(api);
  expect((await call("GET", `${content}/pages?computed=false`)).body.pages[3]).toEqual(api);
  // Without a path it is not found by one.
  expect((await call("GET", `${content}/path/api`)).status).toBe(200);
  expect((await call("GET", `${content}/path/api?computed=false`)).status).toBe(404);
});

test("spaces with git synchronization have git metadata, unless metadata=false omits it", async () => {
  const { call } = await emulated({ seed: contentSeed({ gitSync: { repoName: "acme/guides" } }) });
  const paths = [
    "",
    "/pages",
    "/files",
    "/files/logo",
    "/page/linux",
    "/reusable-contents/note",
    "/path/setup%2Flinux",
  ];
  for (const path of paths) {
    const { text } = await call("GET", content + path);
    expect([path, text.includes('"git":{"oid":')]).toEqual([path, true]);
    expect((await call("GET", `${content}${path}?metadata=true`)).text).toBe(text);
    const without = await call("GET", `${content}${path}?metadata=false`);
    expect([path, without.status, without.text.includes('"git"')]).toEqual([path, 200, false]);
  }
  const { git } = (await call("GET", content)).body;
  expect(git).toEqual({
    oid: expect.stringMatching(/^[0-9a-f]{40}$/),
    message: expect.any(String),
    createdByService: true,
    url: expect.stringContaining("acme/guides"),
    ref: "main",
  });
  expect((await call("GET", `${content}/page/linux`)).body.git.path).toBe("setup/linux.md");
});

test.each([
  ["page/linux", "by id"],
  ["path/setup%2Flinux", "by path"],
])("a page has the body that format asks for: %s", async (path) => {
  const { call } = await emulated();
  const read = async (query: string) => (await call("GET", `${content}/${path}${query}`)).body;
  const plain = await read("");
  expect(plain).toMatchObject({ id: "linux", path: "setup/linux", documentId: expect.any(String) });
  const { markdown, ...rest } = await read("?format=markdown");
  expect(markdown).toContain("[home](/home)");
  const { documentId: _, ...withoutBody } = plain;
  expect(rest).toEqual(withoutBody);
  const { document } = await read("?format=document");
  expect(document).toMatchObject({ object: "document", data: { schemaVersion: 1 } });
  const [first] = document.nodes;
  expect(first).toMatchObject({ object: "block", type: "paragraph", isVoid: false, data: {} });
  expect(first.nodes[0]).toEqual({ object: "text", leaves: [{ object: "leaf", text: "Back to ", marks: [] }] });
  expect(first.nodes[1]).toMatchObject({
    object: "inline",
    type: "link",
    data: { ref: { kind: "url", url: "/home" } },
  });
  expect((await call("GET", `${content}/${path}?format=html`)).status).toBe(400);
});

test.each([
  ["", "For {{ space.vars.product }} by {{ page.vars.author }}{{ visitor.claims.name }}."],
  ["&evaluated=false", "For {{ space.vars.product }} by {{ page.vars.author }}{{ visitor.claims.name }}."],
  ["&evaluated=true", "For Docs by Ada."],
  ["&evaluated=deterministic-only", "For Docs by Ada{{ visitor.claims.name }}."],
])("expressions with %s", async (query, text) => {
  const { call } = await emulated();
  const { markdown } = (await call("GET", `${content}/page/setup?format=markdown${query}`)).body;
  expect(markdown).toBe(`# Setup\n\n${text}\n`);
  const { document } = (await call("GET", `${content}/path/setup?format=document${query}`)).body;
  expect(document.nodes).toMatchObject([{ type: "heading-1" }, { nodes: [{ leaves: [{ text }] }] }]);
  expect((await call("GET", `${content}/page/setup?evaluated=maybe`)).status).toBe(400);
});

test("a path is one encoded segment, of a document or a group", async () => {
  const { call } = await emulated();
  expect((await call("GET", `${content}/path/setup%2Fmac`)).body.id).toBe("mac");
  expect((await call("GET", `${content}/path/team`)).body).toMatchObject({ type: "group", pages: [{ id: "people" }] });
  for (const path of ["setup%2Fweb", "mac", "setup%2F", "%2Fsetup"]) {
    const { status, body } = await call("GET", `${content}/path/${path}`);
    const message = `there is no page at path "${decodeURIComponent(path)}"`;
    expect([status, body]).toEqual([404, { error: { code: 404, message } }]);
  }
  expect((await call("GET", `${content}/path/setup/mac`)).body.error.message).toContain("there is nothing at GET");
});

const reads = [
  "/content",
  "/content/pages",
  "/content/files",
  "/content/files/logo",
  "/content/files/logo/backlinks",
  "/content/page/home",
  "/content/page/home/links",
  "/content/page/home/backlinks",
  "/content/reusable-contents/note",
  "/content/path/home",
  "/changes",
];

test.each(reads)("%s knows no other change request, space or parameter", async (path) => {
  const { call } = await emulated();
  expect((await call("GET", one + path)).status).toBe(200);
  expect((await call("GET", `${list}/1${path}`)).status).toBe(200);
  expect((await call("GET", `${list}/2${path}`)).body.error.message).toBe('there is no change request "2"');
  expect((await call("GET", `/v1/spaces/nowhere/change-requests/1${path}`)).status).toBe(404);
  expect((await call("GET", `${one}${path}?unknown=1`)).status).toBe(400);
  expect((await call("POST", one + path, {})).status).toBe(405);
});

test.each([
  ["/files/none", 'there is no file "none"'],
  ["/files/none/backlinks", 'there is no file "none"'],
  ["/page/none", 'there is no page "none"'],
  ["/page/none/links", 'there is no page "none"'],
  ["/page/none/backlinks", 'there is no page "none"'],
  ["/reusable-contents/none", 'there is no reusable content "none"'],
])("%s is 404", async (path, message) => {
  const { call } = await emulated();
  const { status, body } = await call("GET", content + path);
  expect([status, body]).toEqual([404, { error: { code: 404, message } }]);
});

test("a file and a reusable content are as in the list and the revision", async () => {
  const { call } = await emulated();
  const { files, reusableContents } = (await call("GET", content)).body;
  expect((await call("GET", `${content}/files/logo`)).body).toEqual(files[0]);
  expect(files[0]).toMatchObject({
    name: "logo.png",
    contentType: "image/png",
    size: 10,
    dimensions: { width: 1, height: 2 },
  });
  expect((await call("GET", `${content}/reusable-contents/note`)).body).toEqual(reusableContents[0]);
  expect(reusableContents[0]).toEqual({ id: "note", title: "Note", document: expect.any(String) });
});

async function pagesOf({ call }: Emulated, path: string, key: (item: never) => unknown) {
  const found: unknown[][] = [];
  for (let query = "?limit=3"; ; ) {
    const { body } = await call("GET", path + query);
    found.push(body.items.map(key));
    if (!body.next) return found;
    query = `?limit=3&page=${body.next.page}`;
  }
}

test.each([0, 1, 2, 3, 4])("%i files, links and backlinks come in pages of 3", async (count) => {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const files = numbers.map((number) => ({ id: `file_${number}`, name: `${number}.txt` }));
  const markdown = files.map(({ id }) => `[file](file:${id})`).join(" ");
  const linking = numbers.map((number) => ({ id: `page_${number}`, title: `Page ${number}`, markdown: "[x](target)" }));
  const pages = [{ id: "target", title: "Target", markdown }, ...linking];
  const emulator = await emulated({ seed: contentSeed({ pages, files }) });
  const inPages = (prefix: string) => {
    const ids = numbers.map((number) => `${prefix}_${number}`);
    return ids.length > 3 ? [ids.slice(0, 3), ids.slice(3)] : [ids];
  };
  expect(await pagesOf(emulator, `${content}/files`, idOf)).toEqual(inPages("file"));
  const target = ({ targetReference }: { targetReference: { file: { id: string } } }) => targetReference.file.id;
  expect(await pagesOf(emulator, `${content}/page/target/links`, target)).toEqual(inPages("file"));
  const location = ({ page }: { page: { id: string } }) => page.id;
  expect(await pagesOf(emulator, `${content}/page/target/backlinks`, location)).toEqual(inPages("page"));
  for (const id of files.map(idOf)) {
    expect((await emulator.call("GET", `${content}/files/${id}/backlinks?limit=0`)).body).toEqual({
      items: [],
      count: 1,
    });
  }
});

test("the links of a page come from its text", async () => {
  const { call } = await emulated();
  const links = async (page: string) => (await call("GET", `${content}/page/${page}/links`)).body;
  const home = await links("home");
  expect(home.stats).toEqual({ total: 3, broken: { total: 0, changeRequest: 0 } });
  expect(home.items).toMatchObject([
    { status: "ok", relation: "reference", targetReference: { kind: "page", page: { id: "setup" } } },
    { targetReference: { kind: "page", page: { id: "linux" } } },
    {
      targetReference: { kind: "file", file: { id: "logo" } },
      locationReferences: [{ kind: "page", page: { id: "home" } }],
    },
  ]);
  expect(home.items[0].targetReference).toMatchObject({
    organization: { object: "organization", id: "acme" },
    space: { object: "space", id: "guides" },
    versionContext: { type: "revision", revision: (await call("GET", content)).body },
  });
  const linux = await links("linux");
  expect(linux.stats).toEqual({ total: 4, broken: { total: 1, changeRequest: 0 } });
  expect(linux.items).toMatchObject([
    { targetReference: { page: { id: "home" } } },
    { targetReference: { page: { id: "setup" } } },
    { status: "broken", relation: "reference" },
    {
      status: "ok",
      relation: "dependsOn",
      targetReference: { kind: "reusable-content", reusableContent: { id: "note" } },
    },
  ]);
  expect(linux.items[2]).not.toHaveProperty("targetReference");
  const mac = await links("mac");
  expect(mac.items).toMatchObject([
    { targetReference: { kind: "url", url: "https://acme.test/" } },
    { targetReference: { kind: "page", page: { id: "linux" } } },
  ]);
  expect((await links("web")).items).toMatchObject([{ targetReference: { kind: "file", file: { id: "logo" } } }]);
});

test("links to spaces, to the service itself, and to missing objects", async () => {
  const markdown =
    "[a](space:other) [b](space:none) [c](https://app.docs.example/s/guides) [d](page:none) [e](file:none)";
  const { call } = await emulated({ seed: contentSeed({ pages: [{ id: "home", title: "Home", markdown }] }) });
  const { items, stats } = (await call("GET", `${content}/page/home/links`)).body;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(["ok", "broken", "in-app", "broken", "broken"]);
  expect(items[0].targetReference).toMatchObject({ kind: "space", space: { id: "other" } });
  expect(stats).toEqual({ total: 5, broken: { total: 3, changeRequest: 0 } });
});

test("backlinks come from the texts of pages and reusable contents", async () => {
  const { call } = await emulated();
  const kinds = async (path: string) => {
    const { items } = (await call("GET", `${content}/${path}/backlinks`)).body;
    return items.map(({ kind, page, reusableContent }: Record<string, { id: string }>) => [
      kind,
      (page ?? reusableContent)?.id,
    ]);
  };
  expect(await kinds("files/logo")).toEqual([
    ["page", "home"],
    ["page", "web"],
    ["reusable-content", "note"],
  ]);
  expect(await kinds("files/paper")).toEqual([]);
  expect(await kinds("page/home")).toEqual([
    ["page", "linux"],
    ["reusable-content", "note"],
  ]);
  expect(await kinds("page/linux")).toEqual([
    ["page", "home"],
    ["page", "mac"],
  ]);
});

test("links and backlinks have the variant that the API document shows, also in the built-in organization", async () => {
  const { call } = await emulated({ seed: undefined });
  const read = async (path: string) =>
    (await call("GET", `/v1/spaces/reference/change-requests/cr_limits/content/page/authentication/${path}`)).body
      .items;
  const shown = {
    kind: "file",
    organization: { object: "organization", trial: { status: expect.any(String), count: expect.any(Number) } },
    space: { object: "space" },
    versionContext: { type: "revision", revision: { object: "revision" } },
    file: { id: "file_openapi" },
  };
  expect(await read("backlinks")).toMatchObject([shown]);
  const links: { targetReference: { kind: string } }[] = await read("links");
  const toFile = links.filter(({ targetReference }) => targetReference.kind === "file");
  expect(toFile).toMatchObject([{ status: "ok", relation: "reference", targetReference: shown }]);
});

test("links and backlinks follow the change request, and say what it broke", async () => {
  const { call, state } = await emulated();
  editChangeRequest(state, at, [{ deletePage: { page: "linux" } }, { deleteFile: { file: "logo" } }]);
  const { items, stats } = (await call("GET", `${content}/page/home/links`)).body;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(["ok", "broken", "broken"]);
  expect(stats).toEqual({ total: 3, broken: { total: 2, changeRequest: 2 } });
  expect(
    (await call("GET", `${content}/page/home/backlinks`)).body.items.map(({ kind }: { kind: string }) => kind),
  ).toEqual(["reusable-content"]);
  expect((await call("GET", `${content}/files/logo`)).status).toBe(404);
  // Another change request has the space as it is.
  const other = (await call("POST", list, {})).body.id;
  expect((await call("GET", `${list}/${other}/content/page/home/links`)).body.stats.broken.total).toBe(0);
});

const changesAfter = async (edits: ContentEdit[]) => {
  const { call, state } = await emulated();
  if (edits.length > 0) editChangeRequest(state, at, edits);
  return (await call("GET", `${one}/changes`)).body;
};

const home = { id: "home", type: "document", title: "Home", path: "home" };
const setup = { id: "setup", type: "document", title: "Setup", path: "setup" };

test.each([
  ["nothing", [], []],
  [
    "a page with one below it",
    [
      {
        addPage: {
          page: { id: "new", title: "New", pages: [{ id: "below", title: "Below" }] },
          under: "setup",
          after: null,
        },
      },
    ],
    [
      { type: "page_created", page: { id: "new", type: "document", title: "New", path: "setup/new" } },
      { type: "page_created", page: { id: "below", type: "document", title: "Below", path: "setup/new/below" } },
    ],
  ],
  [
    "title and hiding of a page",
    [{ editPage: { page: "home", title: "Start", hidden: true } }],
    [
      {
        type: "page_edited",
        page: { ...home, title: "Start" },
        attributes: { title: { before: "Home", after: "Start" }, hidden: { after: true } },
      },
    ],
  ],
  [
    "a page back to what it was",
    [{ editPage: { page: "home", title: "Start" } }, { editPage: { page: "home", title: "Home" } }],
    [],
  ],
  [
    "a page with those below it away",
    [{ deletePage: { page: "team" } }],
    [
      { type: "page_deleted", page: { id: "team", type: "group", title: "Team", path: "team" } },
      { type: "page_deleted", page: { id: "people", type: "document", title: "People", path: "team/people" } },
    ],
  ],
  [
    "a page below another one",
    [{ movePage: { page: "home", under: "setup" } }],
    [{ type: "page_moved", page: { ...home, path: "setup/home" }, parent: { after: setup } }],
  ],
  [
    "a page to the top",
    [{ movePage: { page: "setup/mac", under: null } }],
    [
      {
        type: "page_moved",
        page: { id: "mac", type: "document", title: "Mac", path: "mac" },
        parent: { before: setup },
      },
    ],
  ],
  [
    "the order of pages",
    [{ movePage: { page: "mac", after: null } }],
    [
      {
        type: "page_moved",
        page: { id: "mac", type: "document", title: "Mac", path: "setup/mac" },
        parent: { before: setup, after: setup },
      },
    ],
  ],
  [
    "files",
    [
      { addFile: { id: "new", name: "new.txt" } },
      { editFile: { file: "paper", name: "book.pdf" } },
      { deleteFile: { file: "logo" } },
    ],
    [
      { type: "file_edited", file: { id: "paper", name: "book.pdf" }, attributes: { name: { before: "paper.pdf" } } },
      { type: "file_created", file: { id: "new", name: "new.txt", contentType: "text/plain" } },
      { type: "file_deleted", file: { id: "logo" } },
    ],
  ],
  [
    "variables",
    [{ setVariables: { product: null, year: 2027, more: "x" } }],
    [
      {
        type: "variables_edited",
        attributes: { product: { before: "Docs" }, year: { before: 2026, after: 2027 }, more: { after: "x" } },
      },
    ],
  ],
  [
    "a reusable content",
    [{ editReusableContent: { reusableContent: "note", title: "Hint" } }],
    [{ type: "reusable_content_edited", reusableContent: { id: "note", title: "Hint" } }],
  ],
  [
    "reusable contents",
    [{ addReusableContent: { id: "new", title: "New" } }, { deleteReusableContent: { reusableContent: "note" } }],
    [
      { type: "reusable_content_created", reusableContent: { id: "new", title: "New" } },
      { type: "reusable_content_deleted", reusableContent: { id: "note", title: "Note" } },
    ],
  ],
] as [string, ContentEdit[], object[]][])("the changes show %s", async (_, edits, changes) => {
  const found = await changesAfter(edits);
  expect(found).toEqual({ changes: expect.any(Array), more: 0 });
  expect(found.changes).toMatchObject(changes);
  expect(found.changes).toHaveLength(changes.length);
});

test("ten changes are shown, or as many as the limit, with the number of further ones", async () => {
  const { call, state } = await emulated();
  editChangeRequest(
    state,
    at,
    Array.from({ length: 12 }, (_, index) => ({ addPage: { page: { title: `Page ${index}` } } })),
  );
  for (const [query, count] of [
    ["", 10],
    ["?limit=0", 0],
    ["?limit=11", 11],
    ["?limit=12", 12],
    ["?limit=13", 12],
  ] as const) {
    const { changes, more } = (await call("GET", `${one}/changes${query}`)).body;
    expect([query, changes.length, more]).toEqual([query, count, 12 - count]);
  }
  for (const limit of ["-1", "x", "1.5"]) expect((await call("GET", `${one}/changes?limit=${limit}`)).status).toBe(400);
});

test("changes of a merged change request stay and name it", async () => {
  const { call, state } = await emulated();
  editChangeRequest(state, at, [{ setVariables: { year: 2027 } }]);
  const { changes } = (await call("GET", `${one}/changes`)).body;
  await call("POST", `${one}/merge`);
  expect((await call("GET", `${one}/changes`)).body).toMatchObject({
    changes,
    mergedFrom: { id: "cr_1", status: "merged" },
  });
});

test("the newer version has more properties of pages and revisions, and no links", async () => {
  const { call } = await emulated({ version: "0.202" });
  const { tags, pages } = (await call("GET", content)).body;
  expect(tags).toEqual([]);
  expect(pages[0]).toMatchObject({ tags: [], layout: { coverMask: "none", tags: true, actions: true, anchors: true } });
  for (const path of ["/files/logo/backlinks", "/page/home/links", "/page/home/backlinks"]) {
    expect((await call("GET", content + path)).status).toBe(404);
  }
  for (const path of reads.filter((one) => !/links$/.test(one)))
    expect((await call("GET", one + path)).status).toBe(200);
});

test.each([
  [[{ editPage: { page: "none", title: "x" } }], 'there is no page "none"'],
  [[{ addPage: { page: { id: "home", title: "x" } } }], 'page "home" already exists'],
  [[{ addPage: { page: { title: "x", type: "group" }, under: "home" } }], 'group "x" must be at the top level'],
  [[{ addPage: { page: { title: "x" }, under: "web" } }], 'page "web" is a link page and has no pages below it'],
  [[{ addPage: { page: { title: "x" }, after: "linux" } }], 'page "linux" is not on this level'],
  [[{ movePage: { page: "setup", under: "linux" } }], 'page "setup" cannot be moved below itself'],
  [[{ deleteFile: { file: "none" } }], 'there is no file "none"'],
  [[{ addFile: { id: "logo", name: "x" } }], 'file "logo" already exists'],
  [[{ deletPage: { page: "home" } }], 'did you mean "deletePage"?'],
  [[{ deletePage: { page: "home" }, deleteFile: { file: "logo" } }], "use exactly one of"],
] as unknown as [ContentEdit[], string][])("the edit %j is refused as a whole", async (edits, message) => {
  const { call, state } = await emulated();
  const before = (await call("GET", one)).body;
  const all: ContentEdit[] = [{ setVariables: { year: 1 } }, ...edits];
  expect(() => editChangeRequest(state, at, all)).toThrow(message);
  expect(() => editSpace(state, "guides", all)).toThrow(message);
  expect((await call("GET", one)).body).toEqual(before);
});

test("only existing change requests that are not merged can be edited", async () => {
  const { call, state } = await emulated();
  expect(() => editSpace(state, "none", [])).toThrow('there is no space "none"');
  expect(() => editChangeRequest(state, { space: "guides", changeRequest: 9 }, [])).toThrow("no change request");
  editChangeRequest(state, at, [], { by: "user_bea", at: new Date("2030-01-01T00:00:00Z") });
  expect((await call("GET", `${list}?status=draft&contributor=user_bea`)).body.items).toMatchObject([
    { id: "cr_1", updatedAt: "2030-01-01T00:00:00.000Z" },
  ]);
  await call("POST", `${one}/merge`);
  expect(() => editChangeRequest(state, at, [])).toThrow("is merged");
});

test("revisions share their unchanged pages", async () => {
  const { state } = await emulated();
  const guides = state.organizations.get("acme")?.spaces.get("guides");
  const before = guides?.revisions.get(guides.revision)?.content;
  editSpace(state, "guides", [{ editPage: { page: "linux", title: "GNU/Linux" } }]);
  const after = guides?.revisions.get(guides.revision)?.content;
  expect(after?.pages.map((page, index) => page === before?.pages[index])).toEqual([true, false, true, true]);
  expect(after?.pages[1]?.pages[1]).toBe(before?.pages[1]?.pages[1]);
  expect(after?.files).toBe(before?.files);
});

const space = "organizations:\n  acme:\n    spaces:\n      - id: guides\n        title: Guides\n";

test.each([
  [
    "        pages: [{ title: A, type: link }]",
    "6:17: organizations.acme.spaces[0].pages[0].target: missing; a page of type link needs it",
  ],
  ["        pages: [{ title: A, type: page }]", 'pages[0].type: found "page"; use one of'],
  ["        pages: [{ title: A, pages: [{ title: B, type: group }] }]", "a group must be at the top level"],
  ["        files: [{ id: a, name: x }, { id: a, name: y }]", "6:43: organizations.acme.spaces[0].files[1].id"],
  ["        pages: [{ id: a, title: A, pages: [{ id: a, title: B }] }]", "another page has it already"],
  ["        changeRequests: [{ edits: [{ deletePage: { page: a } }] }]", 'there is no page "a"'],
  ["        changeRequests: [{ status: closed }]", "6:36: organizations.acme.spaces[0].changeRequests[0].status: "],
])("a seed with %s is refused", async (text, message) => {
  await expect(seedFromYaml(space + text, "seed.yaml")).rejects.toThrow(message);
});

test("the built-in organization has an answer for every read", async () => {
  const { call } = await emulate();
  for (const id of ["guides", "reference"]) {
    const { items } = (await call("GET", `/v1/spaces/${id}/change-requests`)).body;
    const { pages, files, reusableContents } = (
      await call("GET", `${items[0].urls.location.replace(/^.*?\/v1/, "/v1")}/content`)
    ).body;
    expect([files.length > 0, reusableContents.length > 0]).toEqual([true, true]);
    expect(pages.some((page: Listed) => (page.pages ?? []).length > 0)).toBe(true);
  }
  const rollback = `${list}/cr_tidy/content/page/rollback`;
  expect((await call("GET", `${rollback}/links`)).body.stats.broken.total).toBe(1);
  expect((await call("GET", `${list}/cr_tidy/content/files/file_logo/backlinks`)).body.items).toHaveLength(1);
});

test("the stored state has each page once, and reading it shares them again", async () => {
  const { state } = await emulated();
  const before = serialize(state).length;
  for (let year = 0; year < 20; year++) editSpace(state, "guides", [{ setVariables: { year } }]);
  // A revision costs about what it changed: files, reusable contents and variables here, and no page.
  expect((serialize(state).length - before) / 20).toBeLessThan(before / 4);
  const read = withIndexes(deserialize(serialize(state)) as typeof state);
  expect(read).toEqual(state);
  const guides = read.organizations.get("acme")?.spaces.get("guides");
  const contents = [...(guides?.revisions.values() ?? [])].map((revision) => revision.content);
  expect(new Set(contents.map(({ pages }) => pages[0])).size).toBe(1);
});
