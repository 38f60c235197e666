import { expect, test } from "vitest";
import type { SeedPeople } from "../../../provider/emulator/members/seed";
import { org, peopleSeed } from "../people";
import { startEmulated } from "../support";

const translations = `${org}/translations`;
const french = { source: { space: "guides", language: "en" }, language: "fr" };
const start = Date.parse("2026-11-21T12:00:00Z");
const none = {
  runs: 0,
  totalWords: 0,
  totalPages: 0,
  totalDuration: 0,
  latestRunDuration: 0,
  latestPages: 0,
  latestWords: 0,
};

/** An emulator whose clock only moves when the test says so. */
async function timed(people: SeedPeople = {}, version: "0.146" | "0.202" = "0.146") {
  let time = start;
  const emulator = await startEmulated({ seed: peopleSeed(people), now: () => new Date(time), version });
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  return { ...emulator, wait };
}

test("a completed translation counts pages and words of its source", async () => {
  const { call, url, wait } = await timed();
  const { status, body, headers } = await call("POST", translations, french);
  expect(status).toBe(201);
  expect(headers.get("location")).toBe(null);
  expect(body).toEqual({
    object: "translation",
    id: expect.stringMatching(/^translation_\w{20}$/),
    status: "pending",
    ...french,
    instructions: { object: "document", data: {}, nodes: [] },
    createdAt: "2026-11-21T12:00:00.000Z",
    updatedAt: "2026-11-21T12:00:00.000Z",
    stats: none,
    permissions: { view: true, edit: true },
    urls: { location: `${url}${translations}/${body.id}` },
  });
  const read = async () => (await call("GET", `${translations}/${body.id}`)).body;
  wait(3000);
  // "Welcome Start here now." and "Two words".
  const counted = {
    totalWords: 6,
    totalPages: 2,
    totalDuration: 2,
    latestRunDuration: 2,
    latestPages: 2,
    latestWords: 6,
  };
  const result = { space: expect.any(String), revision: expect.any(String) };
  expect(await read()).toEqual({ ...body, status: "completed", stats: { runs: 1, ...counted }, result });
  expect((await call("GET", translations)).body.items).toEqual([await read()]);
});

test("further runs follow each other, and add up", async () => {
  const { call, wait } = await timed();
  const { id } = (await call("POST", translations, french)).body;
  const read = async () => (await call("GET", `${translations}/${id}`)).body;
  wait(1500);
  const answer = await call("POST", `${translations}/${id}/run`);
  expect([answer.status, answer.text]).toEqual([204, ""]);
  // The first run goes on, the second one waits for it.
  expect((await read()).status).toBe("running");
  wait(1500);
  const first = await read();
  expect(first).toMatchObject({ status: "pending", stats: { runs: 1, totalWords: 6 } });
  wait(3000);
  const second = await read();
  expect(second).toMatchObject({
    status: "completed",
    stats: { runs: 2, totalWords: 12, latestWords: 6, totalDuration: 4 },
  });
  expect(second.result.space).toBe(first.result.space);
  expect(second.result.revision).not.toBe(first.result.revision);
  expect(second.updatedAt > second.createdAt).toBe(true);
});

test("the newer version has the language of the result, and one more language", async () => {
  const older = await timed();
  const taiwan = { ...french, language: "zh-tw" };
  expect((await older.call("POST", translations, taiwan)).body.error.message).toMatch(/^language: found "zh-tw"; /);
  const { call, wait } = await timed({}, "0.202");
  const { id } = (await call("POST", translations, taiwan)).body;
  wait(3000);
  expect((await call("GET", `${translations}/${id}`)).body.result.language).toBe("zh-tw");
});

test("a translation of a seed has been completed once", async () => {
  const translation = { id: "one", source: { space: "guides" }, language: "fr", instructions: "Be formal." } as const;
  const { call } = await timed({ translations: [translation] });
  const [one] = (await call("GET", translations)).body.items;
  expect(one).toMatchObject({ status: "completed", stats: { runs: 1 }, result: {} });
  expect(JSON.stringify(one.instructions)).toContain("Be formal.");
});
