import { expect, it } from "vitest";
import { nameFrom, namesOf } from "../../provider/export/draft";
import { resourceName } from "../../provider/organization/sections/parts";

it.each([
  ["Handbook", "handbook"],
  ["Release notes: 2.0 (beta)!", "release-notes-2-0-beta"],
  ["Größe & Ähnliches", "grosse-ahnliches"],
  ["__proto__", "proto"],
  ["../../etc/passwd", "etc-passwd"],
  ["🚀 Launch", "launch"],
  ["ドキュメント", ""],
  ["x".repeat(200), "x".repeat(60)],
])("makes a name from %s", (title, slug) => expect(nameFrom(title)).toBe(slug));

const titled = (...things: [id: string, title: string][]) => things.map(([id, title]) => ({ id, title }));

it("adds the end of the id to equal titles, in any order", () => {
  const sites = titled(["site_aaaaaa", "Docs"], ["site_bbbbbb", "docs!"], ["site_c", "Docs bbbbbb"], ["site_d", "🚀"]);
  // `docs-bbbbbb` is taken, so the name has more of the id.
  const names = { site_aaaaaa: "docs-aaaaaa", site_bbbbbb: "docs-sitebbbbbb", site_c: "docs-bbbbbb", site_d: "site" };
  expect(Object.fromEntries(namesOf(sites, "site"))).toEqual(names);
  expect(Object.fromEntries(namesOf([...sites].reverse(), "site"))).toEqual(names);
});

it("makes valid names that are unique in any case", () => {
  const hostile = titled(["x-AAAAAA", "a"], ["x-aaaaaa", "a"], ["-", "a"], ["_", "a"], ["é", "🚀"], ["ü", "🚀"]);
  const names = [...namesOf(hostile, "saml").values()];
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(hostile.length);
  for (const name of names) expect(resourceName.safeParse(name).success).toBe(true);
});
