import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { withIndexes } from "../../provider/emulator/members/indexes";
import { textOf, valueIn } from "../../provider/emulator/store/state-text";
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
  writeFileSync(file, change(readFileSync(file, "utf8")));

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
  // Texts of this length make no readable difference.
  expect(textOf(withIndexes(valueIn(textOf(state)) as typeof state)) === textOf(state)).toBe(true);
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
  await vi.waitFor(() => expect(readFileSync(data, "utf8")).toMatch(/"id":"ada"[^{]*"role":"edit"/), 1000);
  emulator.state.organizations.get("acme")?.teams.delete("writers");
  await emulator.close();
  expect(readFileSync(data, "utf8")).not.toContain("Writers");
});

test("bodies that look like the file's encoding of maps come back unchanged", async () => {
  const data = dataFile();
  const odd = { $map: [1], $object: { __proto__: null, a: 1 } };
  const instructions = { object: "document", data: odd, nodes: [] };
  const first = await emulate({ seed, data });
  await first.call("PUT", `${org}/translations/one`, { instructions });
  await first.close();
  const { call } = await emulate({ data });
  expect((await call("GET", `${org}/translations/one`)).body.instructions).toEqual(instructions);
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
])("a file that is %s is refused and not changed", async (_, change, reason) => {
  const data = dataFile();
  await (await startEmulator({ seed, data })).close();
  rewritten(data, change);
  const before = readFileSync(data, "utf8");
  const message = `${data} cannot be used: ${reason}; it was not changed, use another file or move it`;
  await expect(startEmulator({ data })).rejects.toThrow(message);
  expect(readFileSync(data, "utf8")).toBe(before);
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
