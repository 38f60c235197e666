import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import {
  type ContentEdit,
  type EmulatorOptions,
  editChangeRequest,
  editSpace,
  seedFromYaml,
} from "../../provider/emulator";
import { contentSeed, listPath, requestPath } from "./content-support";
import { idOfItem, startEmulated } from "./support";

const seed = contentSeed();
const content = `${requestPath}/content`;
const at = { space: "guides", changeRequest: "cr_1" };

interface Listed {
  readonly id: string;
  readonly path?: string;
  readonly pages?: readonly Listed[];
}

const tree = (pages: readonly Listed[]): unknown[] => pages.map(({ id, pages: below = [] }) => [id, ...tree(below)]);

const emulated = (options: EmulatorOptions = {}) => startEmulated({ seed, ...options });

test("the content is a revision with pages, files, reusable contents and variables", async () => {
  const { call } = await emulated();
  const { status, body } = await call("GET", content);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: "revision",
    id: (await call("GET", requestPath)).body.revision,
    parents: [],
    type: "edits",
    createdAt: expect.any(String),
    urls: { app: expect.any(String) },
    variables: { product: "Docs", year: 2026, beta: true },
  });
  expect(tree(body.pages)).toEqual([["home"], ["setup", ["linux"], ["mac"], ["web"]], ["team", ["people"]]]);
  expect(body.files.map(idOfItem)).toEqual(["logo", "paper"]);
  expect(body.reusableContents.map(idOfItem)).toEqual(["note"]);
  expect((await call("GET", `${listPath}/1/content`)).body).toEqual(body);
  expect((await call("GET", `${content}/pages`)).body).toEqual({ pages: body.pages });
});

test("each type of page has its own properties", async () => {
  const { call } = await emulated();
  const [home, setup, team] = (await call("GET", `${content}/pages`)).body.pages;
  expect(home).toMatchObject({ type: "document", kind: "sheet", slug: "home", path: "home", pages: [] });
  for (const body of ["markdown", "document"]) expect(home).not.toHaveProperty(body);
  expect(setup.pages[0]).toMatchObject({ path: "setup/linux", urls: { app: expect.stringContaining("setup/linux") } });
  expect(setup.pages[2]).toMatchObject({ type: "link", kind: "link", target: { kind: "file", file: "logo" } });
  expect(team).toMatchObject({ type: "group", kind: "group", slug: "team", pages: [{ path: "team/people" }] });
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
  expect((await call("GET", `${content}/path/setup/mac`)).body.error.message).toContain("nothing at GET");
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
  const note = { kind: "reusable-content", reusableContent: { id: "note" } };
  expect(linux.items).toMatchObject([
    { targetReference: { page: { id: "home" } } },
    { targetReference: { page: { id: "setup" } } },
    { status: "broken", relation: "reference" },
    { status: "ok", relation: "dependsOn", targetReference: note },
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

test.each([
  ["files/logo", ["home", "web"]],
  ["files/paper", []],
  ["page/home", ["linux"]],
  ["page/linux", ["home", "mac"]],
])("the pages that link to %s", async (path, pages) => {
  const { call } = await emulated();
  const { items } = (await call("GET", `${content}/${path}/backlinks`)).body;
  expect(items.map(({ page }: { page: { id: string } }) => page.id)).toEqual(pages);
});

test("links and backlinks follow the change request, and say what it broke", async () => {
  const { call, state } = await emulated();
  editChangeRequest(state, at, [{ deletePage: { page: "linux" } }, { deleteFile: { file: "logo" } }]);
  const { items, stats } = (await call("GET", `${content}/page/home/links`)).body;
  expect(items.map(({ status }: { status: string }) => status)).toEqual(["ok", "broken", "broken"]);
  expect(stats).toEqual({ total: 3, broken: { total: 2, changeRequest: 2 } });
  expect((await call("GET", `${content}/page/home/backlinks`)).body.items).toEqual([]);
  expect((await call("GET", `${content}/files/logo`)).status).toBe(404);
  // Another change request has the space as it is.
  const other = (await call("POST", listPath, {})).body.id;
  expect((await call("GET", `${listPath}/${other}/content/page/home/links`)).body.stats.broken.total).toBe(0);
});

const changesAfter = async (edits: ContentEdit[]) => {
  const { call, state } = await emulated();
  if (edits.length > 0) editChangeRequest(state, at, edits);
  return (await call("GET", `${requestPath}/changes`)).body;
};

const home = { id: "home", type: "document", title: "Home", path: "home" };

test.each([
  ["nothing", [], []],
  [
    "a new page with one below it",
    [{ addPage: { page: { id: "new", title: "New", pages: [{ id: "below", title: "Below" }] }, under: "setup" } }],
    [
      { type: "page_created", page: { id: "new", type: "document", title: "New", path: "setup/new" } },
      { type: "page_created", page: { id: "below", type: "document", title: "Below", path: "setup/new/below" } },
    ],
  ],
  [
    "a page with another title that is hidden",
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
    "nothing of a page that is again as it was",
    [{ editPage: { page: "home", title: "Start" } }, { editPage: { page: "home", title: "Home" } }],
    [],
  ],
  [
    "a deleted page with those below it",
    [{ deletePage: { page: "team" } }],
    [
      { type: "page_deleted", page: { id: "team", type: "group", title: "Team", path: "team" } },
      { type: "page_deleted", page: { id: "people", type: "document", title: "People", path: "team/people" } },
    ],
  ],
  [
    "a deleted file",
    [{ deleteFile: { file: "logo" } }],
    [{ type: "file_deleted", file: { id: "logo", name: "logo.png" } }],
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
] as [string, ContentEdit[], object[]][])("the changes show %s", async (_, edits, changes) => {
  const found = await changesAfter(edits);
  expect(found).toEqual({ changes: expect.any(Array), more: 0 });
  expect(found.changes).toMatchObject(changes);
  expect(found.changes).toHaveLength(changes.length);
});

test.each([
  [[{ editPage: { page: "none", title: "x" } }], 'there is no page "none"'],
  [[{ addPage: { page: { id: "home", title: "x" } } }], 'page "home" already exists'],
  [[{ addPage: { page: { title: "x", type: "group" }, under: "home" } }], 'group "x" must be at the top level'],
  [[{ addPage: { page: { title: "x" }, under: "web" } }], 'page "web" is a link page and has no pages below it'],
  [[{ deleteFile: { file: "none" } }], 'there is no file "none"'],
  [[{ deletPage: { page: "home" } }], 'did you mean "deletePage"?'],
  [[{ deletePage: { page: "home" }, deleteFile: { file: "logo" } }], "use exactly one of"],
] as unknown as [ContentEdit[], string][])("the edit %j is refused as a whole", async (edits, message) => {
  const { call, state } = await emulated();
  const before = (await call("GET", requestPath)).body;
  const all: ContentEdit[] = [{ setVariables: { year: 1 } }, ...edits];
  expect(() => editChangeRequest(state, at, all)).toThrow(message);
  expect(() => editSpace(state, "guides", all)).toThrow(message);
  expect((await call("GET", requestPath)).body).toEqual(before);
});

test("the stored state has each page once, and reading it shares them again", async () => {
  const { state } = await emulated();
  const before = serialize(state).length;
  for (let year = 0; year < 20; year++) editSpace(state, "guides", [{ setVariables: { year } }]);
  // A revision costs about what it changed: files, reusable contents and variables here, and no page.
  expect((serialize(state).length - before) / 20).toBeLessThan(before / 4);
  const read = deserialize(serialize(state)) as typeof state;
  expect(read).toEqual(state);
  const guides = read.organizations.get("acme")?.spaces.get("guides");
  const contents = [...(guides?.revisions.values() ?? [])].map((revision) => revision.content);
  expect(new Set(contents.map(({ pages }) => pages[0])).size).toBe(1);
});

const space = "organizations:\n  acme:\n    spaces:\n      - id: guides\n        title: Guides\n";

test.each([
  ["        pages: [{ title: A, type: link }]", "pages[0].target: missing; a page of type link needs it"],
  ["        pages: [{ title: A, type: page }]", 'pages[0].type: found "page"; use one of'],
  ["        pages: [{ title: A, pages: [{ title: B, type: group }] }]", "a group must be at the top level"],
  ["        files: [{ id: a, name: x }, { id: a, name: y }]", "6:43: organizations.acme.spaces[0].files[1].id"],
  ["        pages: [{ id: a, title: A, pages: [{ id: a, title: B }] }]", "another one has it already"],
  ["        changeRequests: [{ status: closed }]", "6:36: organizations.acme.spaces[0].changeRequests[0].status: "],
])("a seed with %s is refused", async (text, message) => {
  await expect(seedFromYaml(space + text, "seed.yaml")).rejects.toThrow(message);
});
