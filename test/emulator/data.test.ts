import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { withIndexes } from "../../provider/emulator/members/indexes";
import type { Kept } from "../../provider/emulator/store/data-file";
import type { Organization } from "../../provider/emulator/store/state";
import { few, members, org, peopleSeed, teamMembers, teamOf } from "./people";
import { emulate, sites } from "./support";

const seed = peopleSeed({
  ...few,
  saml: [{ id: "saml_1", label: "Acme" }],
  translations: [{ id: "one", source: { space: "guides" }, language: "fr" }],
});

function dataFile(): string {
  const own = mkdtempSync(join(tmpdir(), "data-"));
  onTestFinished(() => rmSync(own, { recursive: true }));
  return join(own, "data.json");
}

const rewritten = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, "latin1")), "latin1");

const hashOf = (content: string) => createHash("sha256").update(content, "latin1").digest("hex");

/** The organization in the file. */
function keptIn(file: string): Organization | undefined {
  const content = readFileSync(file);
  return (deserialize(content.subarray(content.indexOf("\n") + 1)) as Kept).state.organizations.get("acme");
}

test("state and token survive a restart, with everything that answers need", async () => {
  const data = dataFile();
  const reads = ["members", "members/ada/teams", "members/dan/spaces", "saml", "translations", "sites"];
  const state = async ({ call, url }: Awaited<ReturnType<typeof emulate>>) => {
    const answers = reads.map(async (path) => (await call("GET", `${org}/${path}`)).text.replaceAll(url, ""));
    return Promise.all(answers);
  };
  const first = await emulate({ seed, data });
  await first.call("PUT", teamMembers("writers"), { add: ["new@acme.test", "bea"], remove: ["cem"] });
  await first.call("POST", sites, { title: "Docs", spaces: ["guides"] });
  const before = await state(first);
  await first.close();
  const second = await emulate({ data });
  expect(second.token).toBe(first.token);
  expect(await state(second)).toEqual(before);
  // Indexes are restored as well: a new member gets the invitation, and a removed member leaves all teams.
  second.join({ userId: "new", email: "new@acme.test" });
  await second.call("DELETE", `${members}/ada`);
  expect(await teamOf(second, "writers")).toEqual({ bea: "member", new: "member" });
  await second.close();
  const third = await emulate({ data });
  expect(await teamOf(third, "writers")).toEqual({ bea: "member", new: "member" });
  expect((await third.call("GET", `${members}?search=BEA@acme`)).body.count).toBe(1);
});

test("everything that the emulator stores fits into the file", async () => {
  const { state } = await emulate();
  const strange: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (value instanceof Map) for (const [key, inner] of value) look(inner, `${path}.${key}`);
    else if (typeof value === "object" && value !== null) {
      if (![Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value))) strange.push(path);
      for (const [key, inner] of Object.entries(value)) look(inner, `${path}.${key}`);
    } else if (!["string", "number", "boolean", "undefined"].includes(typeof value) && value !== null)
      strange.push(path);
  };
  look(state, "state");
  expect(strange).toEqual([]);
  expect(withIndexes(deserialize(serialize(state)) as typeof state)).toEqual(state);
});

test("only the owner can read the file; a given token replaces the stored one", async () => {
  const data = dataFile();
  await (await startEmulator({ seed, data })).close();
  expect(statSync(data).mode & 0o777).toBe(0o600);
  const second = await emulate({ data, token: "given" });
  expect(second.token).toBe("given");
  await second.close();
  expect((await emulate({ data })).token).toBe("given");
});

test("a change is soon in the file, even if changes never stop; a direct change of the state is at the end", async () => {
  const data = dataFile();
  const emulator = await emulate({ seed, data });
  await emulator.call("PATCH", `${members}/ada`, { role: "edit" });
  await vi.waitFor(() => expect(keptIn(data)?.members.get("ada")?.role).toBe("edit"), 1000);
  emulator.state.organizations.get("acme")?.teams.delete("writers");
  await emulator.close();
  expect(keptIn(data)?.teams.has("writers")).toBe(false);
});

test.each([
  ["cut", (text: string) => text.slice(0, -1), "it is damaged (its checksum does not fit)"],
  ["cut in the head", (text: string) => text.slice(0, 20), "it is not a data file of the emulator, or it is damaged"],
  ["changed", (text: string) => text.replace("Ada", "Eve"), "it is damaged (its checksum does not fit)"],
  ["empty", () => "", "it is not a data file of the emulator, or it is damaged"],
  ["of somebody else", () => '{"a":1}\n{}', "it is not a data file of the emulator, or it is damaged"],
  [
    "newer",
    (text: string) => text.replace('"version":1', '"version":2'),
    "its format has version 2, but this release reads version 1",
  ],
  [
    "of another V8",
    () => `{"format":"docs-org-emulator","version":1,"sha256":"${hashOf("\xff\x63")}"}\n\xff\x63`,
    "a newer version of Node.js wrote it",
  ],
])("a file that is %s is refused and not changed", async (_, change, reason) => {
  const data = dataFile();
  await (await startEmulator({ seed, data })).close();
  rewritten(data, change);
  const before = readFileSync(data);
  const message = `${data} cannot be used: ${reason}; it was not changed, use another file or move it`;
  await expect(startEmulator({ data })).rejects.toThrow(message);
  expect(readFileSync(data)).toEqual(before);
  expect(existsSync(`${data}.lock`)).toBe(false);
});

test("other mistakes of the file are reported", async () => {
  const data = dataFile();
  mkdirSync(data);
  await expect(startEmulator({ data })).rejects.toThrow(`could not read ${data}: it is a folder, not a file`);
  await expect(startEmulator({ data: join(data, "no/file") })).rejects.toThrow(
    /^could not create .*no\/file\.lock: its folder does not exist$/,
  );
  const other = dataFile();
  await (await startEmulator({ seed, data: other })).close();
  await expect(startEmulator({ data: other, organizationId: "nobody" })).rejects.toThrow('no organization "nobody"');
});

test("a second emulator on the same file is refused until the first one ends or its process is gone", async () => {
  const data = dataFile();
  const first = await emulate({ seed, data });
  const refused = `another emulator (process ${process.pid}) uses ${data}; stop it, or use another file`;
  await expect(startEmulator({ data })).rejects.toThrow(refused);
  await first.close();
  writeFileSync(`${data}.lock`, "999999999\n");
  await (await startEmulator({ data })).close();
  // The id of this process, as in a container that was started again.
  writeFileSync(`${data}.lock`, `${process.pid}\n`);
  await (await startEmulator({ data })).close();
  writeFileSync(`${data}.lock`, `${process.ppid}\n`);
  await expect(startEmulator({ data })).rejects.toThrow(`(process ${process.ppid})`);
});

test("a file that cannot be written is reported at the end", async () => {
  const data = dataFile();
  const emulator = await startEmulator({ seed, data });
  rmSync(data);
  // A folder that is not empty cannot be replaced.
  mkdirSync(join(data, "in the way"), { recursive: true });
  await expect(emulator.close()).rejects.toThrow(`could not write ${data}: a folder has the name of the file`);
});
