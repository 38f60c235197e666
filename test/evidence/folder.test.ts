import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { checksumsName, sealFolder, verifyFolder } from "../../provider/evidence/folder";
import { docsOrg, freshFolder } from "../support/docs-org";

let folder: string;
let checksum: string;
const at = (file: string) => path.join(folder, file);
const read = (file: string) => readFileSync(at(file));
const edit = (file: string, change: (text: string) => string) => writeFileSync(at(file), change(read(file).toString()));
const editList = (change: (text: string) => string) => edit(checksumsName, change);

beforeEach(async () => {
  folder = freshFolder();
  mkdirSync(at("plans/july"), { recursive: true });
  writeFileSync(at("access.json"), '{ "people": ["ada"] }\n');
  writeFileSync(at("history.csv"), "when,who\r\n2026-07-01,ada\r\n");
  writeFileSync(at("sheet.md"), "| ada | keep |\n");
  writeFileSync(at("plans/july/7.json"), "{}");
  writeFileSync(at("plans/empty"), "");
  ({ checksum } = await sealFolder(folder));
});

test("is verified after the seal, by sha256sum as well, and when only times and permissions differ", async () => {
  utimesSync(at("sheet.md"), 1, 1);
  chmodSync(at("sheet.md"), 0o400);
  mkdirSync(at("empty"));
  expect(await verifyFolder(folder, checksum.toUpperCase())).toEqual({ count: 5, checksum, differences: [] });
  execFileSync("sha256sum", ["--check", "--strict", "--quiet", checksumsName], { cwd: folder });
  expect((await sealFolder(folder)).checksum).toBe(checksum);
});

/** Each change, and the files that the verification names, without and with the checksum of the seal. */
const tampered: [what: string, change: () => void, named: string[], namedWithChecksum?: string[]][] = [
  ["a changed bit", () => edit("sheet.md", (text) => text.replace("k", "j")), ["sheet.md"]],
  ["a byte added at the end", () => appendFileSync(at("access.json"), " "), ["access.json"]],
  ["a byte cut off", () => truncateSync(at("access.json"), 5), ["access.json"]],
  ["an emptied file", () => truncateSync(at("history.csv"), 0), ["history.csv"]],
  ["an empty file that got a byte", () => writeFileSync(at("plans/empty"), "\0"), ["plans/empty"]],
  ["other ends of lines", () => edit("history.csv", (text) => text.replaceAll("\r", "")), ["history.csv"]],
  ["a byte order mark", () => edit("sheet.md", (text) => `\ufeff${text}`), ["sheet.md"]],
  ["a look-alike letter", () => edit("sheet.md", (text) => text.replace("a", "а")), ["sheet.md"]],
  ["a letter in its decomposed form", () => edit("sheet.md", (text) => text.replace("a", "á")), ["sheet.md"]],
  ["two swapped bytes", () => edit("sheet.md", (text) => text.replace("ad", "da")), ["sheet.md"]],
  [
    "JSON with the same meaning",
    () => edit("access.json", (text) => JSON.stringify(JSON.parse(text))),
    ["access.json"],
  ],
  ["a removed file", () => rmSync(at("sheet.md")), ["sheet.md"]],
  ["a removed folder", () => rmSync(at("plans"), { recursive: true }), ["plans/empty", "plans/july/7.json"]],
  ["an added file", () => writeFileSync(at("more.md"), ""), ["more.md"]],
  ["an added hidden file", () => writeFileSync(at(".more"), ""), [".more"]],
  ["a file added in a folder", () => writeFileSync(at("plans/8.json"), ""), ["plans/8.json"]],
  ["a renamed file", () => renameSync(at("sheet.md"), at("sheets.md")), ["sheet.md", "sheets.md"]],
  ["a name in capitals", () => renameSync(at("sheet.md"), at("SHEET.md")), ["SHEET.md", "sheet.md"]],
  [
    "a file moved to another folder",
    () => renameSync(at("sheet.md"), at("plans/sheet.md")),
    ["plans/sheet.md", "sheet.md"],
  ],
  [
    "two files with swapped names",
    () => {
      renameSync(at("sheet.md"), at("x"));
      renameSync(at("access.json"), at("sheet.md"));
      renameSync(at("x"), at("access.json"));
    },
    ["access.json", "sheet.md"],
  ],
  ["a file replaced by another one", () => cpSync(at("sheet.md"), at("access.json")), ["access.json"]],
  ["a second name of a file", () => linkSync(at("sheet.md"), at("copy.md")), ["copy.md"]],
  [
    "a file replaced by a link to a copy of it",
    () => {
      const copy = path.join(freshFolder(), "sheet.md");
      renameSync(at("sheet.md"), copy);
      symlinkSync(copy, at("sheet.md"));
    },
    ["sheet.md"],
  ],
  ["an added link to a folder", () => symlinkSync(freshFolder(), at("linked")), ["linked"]],
  [
    "links to the folder itself",
    () => {
      symlinkSync(".", at("one"));
      symlinkSync(".", at("two"));
    },
    ["one", "two"],
  ],
  ["a link to nothing", () => symlinkSync("nothing", at("linked")), ["linked"]],
  [
    "a file replaced by a folder",
    () => {
      rmSync(at("sheet.md"));
      mkdirSync(at("sheet.md"));
    },
    ["sheet.md"],
  ],
  ["a name with a line break", () => writeFileSync(at("a\nb"), ""), ["a\nb"]],
  ["a pipe", () => execFileSync("mkfifo", [at("pipe")]), ["pipe"]],
  [
    "a list of checksums replaced by a link to a copy of it",
    () => {
      const copy = path.join(freshFolder(), checksumsName);
      renameSync(at(checksumsName), copy);
      symlinkSync(copy, at(checksumsName));
    },
    [checksumsName],
  ],
  [
    "a list of checksums in a subfolder",
    () => cpSync(at(checksumsName), at(`plans/${checksumsName}`)),
    [`plans/${checksumsName}`],
  ],
  [
    "a changed checksum",
    () => editList((text) => text.replace(/^./, (digit) => (digit === "0" ? "1" : "0"))),
    ["access.json"],
    [checksumsName, "access.json"],
  ],
  [
    "a checksum in capitals",
    () => editList((text) => text.replace(/^\w+/, (sum) => sum.toUpperCase())),
    [checksumsName, "access.json"],
  ],
  [
    "a line removed from the list",
    () => editList((text) => text.replace(/.*sheet.*\n/, "")),
    ["sheet.md"],
    [checksumsName, "sheet.md"],
  ],
  ["a line twice", () => editList((text) => text.replace(/.*sheet.*\n/, "$&$&")), [checksumsName]],
  ["a comment in the list", () => editList((text) => `# by nobody\n${text}`), [checksumsName]],
  [
    "another order of the list",
    () => editList((text) => `${text.trimEnd().split("\n").reverse().join("\n")}\n`),
    [checksumsName],
  ],
  ["no line break at the end of the list", () => editList((text) => text.trimEnd()), [checksumsName]],
  ["invalid UTF-8 in the list", () => appendFileSync(at(checksumsName), Buffer.from([0xff])), [checksumsName]],
  [
    "a list without files",
    () => {
      for (const file of ["plans", "access.json", "history.csv", "sheet.md"]) rmSync(at(file), { recursive: true });
      editList(() => "");
    },
    [checksumsName],
  ],
  [
    "a new seal after a change",
    async () => {
      appendFileSync(at("sheet.md"), "!");
      await sealFolder(folder);
    },
    [],
    [checksumsName],
  ],
];

test.each(tampered)("finds %s", async (_, change, named, namedWithChecksum = named) => {
  await change();
  const files = async (given?: string) =>
    (await verifyFolder(folder, given)).differences.map(({ file }) => file).sort();
  expect(await files()).toEqual([...named].sort());
  expect(await files(checksum)).toEqual([...namedWithChecksum].sort());
});

test("is sealed and verified by the command, which names what differs", async () => {
  const sealed = await docsOrg("evidence", "seal", folder);
  expect(sealed).toEqual({ status: 0, stderr: "", stdout: expect.toHaveWording("sealed") });
  expect(await docsOrg("evidence", "verify", folder, "--checksum", checksum)).toMatchObject({ status: 0, stderr: "" });
  expect((await docsOrg("evidence", "verify", folder)).stdout).toHaveWording("verified without checksum");
  rmSync(at("sheet.md"));
  const { status, stdout } = await docsOrg("evidence", "verify", folder);
  expect([status, stdout]).toEqual([2, "sheet.md is missing\n"]);
  expect(await docsOrg("evidence", "verify", folder, "--checksum", "abc")).toMatchObject({ status: 2, stdout: "" });
  expect((await docsOrg("evidence", "verify", freshFolder())).stderr).toContain("could not read");
  expect((await docsOrg("evidence", "seal", freshFolder())).stderr).toContain("has no files");
  writeFileSync(at("sheet.md.17.part"), "");
  expect((await docsOrg("evidence", "seal", folder)).stderr).toContain("sheet.md.17.part was not written to its end");
});
