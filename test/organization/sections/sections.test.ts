import { describe, expect, it, test } from "vitest";
import type { z } from "zod";
import type { OrganizationFile } from "../../../provider/organization/file/types";
import { sectionList, sectionNames } from "../../../provider/organization/sections";
import { isIncludable, organizationFile } from "../../../provider/organization/sections/schema";

/** The type of the schema and the generated one are the same: what is assigned to one can be assigned to the other. */
const asGenerated = (file: z.output<typeof organizationFile>): OrganizationFile => file;
const asInferred = (file: OrganizationFile): z.output<typeof organizationFile> => file;

test("the file consists of its sections, in order, and has the generated type", () => {
  const keys = sectionList.flatMap(({ shape }) => Object.keys(shape));
  expect(Object.keys(organizationFile.shape)).toEqual(["organization", "backend", "guards", ...keys]);
  const file = { organization: "acme", saml: { okta: { label: "Okta" } } };
  expect(asInferred(asGenerated(organizationFile.parse(file)))).toEqual(file);
});

describe.each(sectionList.map((section) => [section.name, section] as const))("the section %s", (name, section) => {
  it("has a key with its name, which can be included", () => {
    expect(Object.keys(section.shape)).toContain(name);
    expect(isIncludable([name])).toBe(true);
    expect(isIncludable([name, "one"])).toBe(false);
    for (const inside of section.includable ?? []) expect(isIncludable([name, "one", inside])).toBe(true);
    expect(isIncludable([name, "one", "other"])).toBe(false);
  });

  it("declares nothing if the file does not have it, except MemberRoles, which is always declared", () => {
    const children = section.declareChildren({ organization: "acme" }, new Date());
    expect(children.map(({ resource }) => resource)).toEqual(name === "members" ? ["MemberRoles"] : []);
  });

  it("can be read, and says which of its objects are managed", () => {
    const { list, readAfter } = section.live;
    expect([list, readAfter].filter(Boolean)).toHaveLength(1);
    expect(Object.keys(section.audit.subjects)).not.toEqual([]);
  });
});

test("two sections share no audit name and no kind of subject", () => {
  const audits = sectionList.map(({ audit }) => audit);
  const all = [audits.map(({ kind }) => kind), audits.flatMap(({ subjects }) => Object.keys(subjects)), sectionNames];
  for (const names of all) expect(new Set(names).size).toBe(names.length);
});
