import { expect, test } from "vitest";
import { idOfItem, manySites, sites, startEmulated } from "../support";

test("nothing is skipped or repeated while items are added and deleted", async () => {
  const { call } = await startEmulated({ seed: manySites(5) });
  const first = (await call("GET", `${sites}?limit=2`)).body;
  expect(first.items.map(idOfItem)).toEqual(["site_1", "site_2"]);
  // The page that was read, whose last item (site_2) the page id was made of, and an item of the rest.
  await call("DELETE", `${sites}/site_1`);
  await call("DELETE", `${sites}/site_2`);
  await call("DELETE", `${sites}/site_4`);
  const added = (await call("POST", sites)).body.id;
  const rest = (await call("GET", `${sites}?page=${first.next.page}`)).body;
  expect(rest.items.map(idOfItem)).toEqual(["site_3", "site_5", added]);
});

// No page ids; then [], a page id of another list, and one of this list with padding, all in base64.
test.each(["garbage", "%20", "", "W10", "WyJzZWFyY2hTaXRlIiwxXQ", "WyJsaXN0U2l0ZXMiLDFd=="])(
  'page "%s" is refused',
  async (page) => {
    const { call } = await startEmulated({ seed: manySites(3) });
    const { status, body } = await call("GET", `${sites}?page=${page}`);
    expect(status).toBe(400);
    expect(body.error.message).toContain("not a page of");
  },
);

test.each([
  ["absent", { count: 1 }],
  ["null", { next: null, count: 1 }],
  ["empty", { next: {}, count: 1 }],
] as const)("the last page follows the reading %s", async (lastPage, rest) => {
  const { call } = await startEmulated({ seed: manySites(1), readings: { lastPage } });
  const { items, ...others } = (await call("GET", sites)).body;
  expect(items).toHaveLength(1);
  expect(others).toEqual(rest);
});

test.each([
  ["total", 3],
  ["page", 2],
  ["absent", undefined],
] as const)("count follows the reading %s", async (count, value) => {
  const { call } = await startEmulated({ seed: manySites(3), readings: { count } });
  expect((await call("GET", `${sites}?limit=2`)).body.count).toBe(value);
});
