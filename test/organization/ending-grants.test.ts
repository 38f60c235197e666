import { expect, test } from "vitest";
import type { Member } from "../../provider/api/groups/members";
import { describeEndingGrants } from "../../provider/organization/ending-grants";
import type { OrganizationFile } from "../../provider/organization/file/types";
import { planChange } from "../../provider/organization/guards/change";
import { describeEndingGrant, type EndingGrant, type Held } from "../../provider/review/model/ends";

const last = "2027-01-31";
const organization: OrganizationFile = {
  organization: "o",
  members: {
    a: "admin",
    b: { role: "edit", expires: { on: last, then: "read" } },
    c: { role: "admin", expires: { on: "2027-02-28", then: "restore" } },
    d: { role: "review", expires: { on: "2027-01-30", then: "remove" } },
  },
  teams: { t: { members: { b: { role: "owner", expires: { on: last } }, d: "member" } }, empty: {} },
};

const member = (id: string) => ({ role: "edit", sso: false, user: { id } }) as Member;

/** What is announced of a stack that manages everybody, where this role is the previous one of all. */
const warningsAt = (now: string, previous = "guest", declared = organization) => {
  const names = ["a", "b", "c", "d"];
  const all = <T>(value: T) => Object.fromEntries(names.map((name) => [name, value]));
  const outputs = { roles: all("edit"), previousRoles: all(previous) };
  const team = { teamId: "t", members: { b: "owner", d: "member" } };
  const change = planChange({
    name: "o",
    organization: declared,
    live: { members: names.map(member), teams: [], saml: [], sites: [] },
    recorded: [
      { resource: "MemberRoles", name: "o-members", outputs },
      { resource: "TeamMembers", name: "o-t", outputs: team },
    ],
    formerComponents: [],
    rolesManagedElsewhere: [],
    existing: [],
    declaredBy: "the program",
    stack: { name: "main", isEmpty: false, isRunByDocsOrg: false },
    now: new Date(now),
  });
  return describeEndingGrants(change);
};

test("grants that end within a day, and ended ones, are announced with what follows", () => {
  const named = (now: string) => warningsAt(now).map((text) => / to (.) end/.exec(text)?.[1]);
  expect(named("2027-01-28T23:59:59Z")).toEqual([]);
  expect(named("2027-01-29T00:00:00Z")).toEqual(["d"]);
  expect(named("2027-01-30T00:00:00Z")).toEqual(["d", "b", "b"]);
  expect(named("2027-03-01T00:00:00Z")).toEqual(["d", "b", "b", "c"]);
});

test("a grant that begins within a day is announced, and has no effect before", () => {
  const at = (now: string) =>
    warningsAt(now, "guest", { organization: "o", members: { c: { role: "read", from: last } } });
  expect(at("2027-01-29T23:59:59Z")).toEqual([]);
  expect(at("2027-01-30T00:00:00Z")[0]).toHaveWording("a grant that begins tomorrow");
  expect(at(last)).toEqual([]);
});

const declaring = (c: NonNullable<OrganizationFile["members"]>[string]): OrganizationFile => ({
  organization: "o",
  members: { c },
});
const expires = { on: "2027-02-28", then: "restore" } as const;

test("a grant is announced at any time if its end has no effect, because the previous role is not lower or would be a raise", () => {
  const announced = (previous: string, declared: OrganizationFile) =>
    warningsAt("2026-01-01", previous, declared).map((text) => / ends with (\S+)/.exec(text)?.[1]);
  const admin = declaring({ role: "admin", expires });
  expect(announced("admin", admin)).toEqual(["2027-02-28"]);
  expect(announced("read", admin)).toEqual([]);
  expect(announced("admin", declaring({ role: "read", expires }))).toHaveLength(1);
  const raising = declaring({ role: "edit", allowRaise: true, expires });
  expect(announced("admin", raising)).toEqual([]);
  expect(announced("edit", raising)).toHaveLength(1);
});

test("a removed person who is still in teams of the file is announced with these teams", () => {
  expect(warningsAt(last)[0]).toHaveWording("a removed person who is still in a team");
  const ended = { t: { members: { d: { role: "member", expires: { on: "2027-01-30" } } } } } as const;
  expect(warningsAt(last, "guest", { ...organization, teams: ended }).join()).not.toContain("as well");
});

const ending: EndingGrant = { user: "b", role: "edit", on: last, becomes: "read", days: 3 };
const inTeam = { team: "t", role: "owner", becomes: "member" };
const sentences: readonly [name: string, special: Partial<EndingGrant>, held?: Partial<Held>][] = [
  ["a grant that ends in some days", {}],
  ["a grant that ends tomorrow", { days: 1 }],
  ["a grant that ends today", { days: 0, becomes: "guest" }],
  ["a grant that has ended with the previous role", { becomes: "restore", days: -1 }],
  ["a grant that ends with an unknown role", { becomes: "restore" }, { previous: undefined }],
  ["a grant that ends with the same role", { becomes: "restore" }, { previous: "edit" }],
  ["a grant that would end with a higher role", { becomes: "restore" }, { previous: "admin" }],
  ["a grant that ends with a higher role", { becomes: "restore", allowRaise: true }, { previous: "admin" }],
  ["a grant that ends at a time", { on: "2027-01-31T18:00+01:00", days: 0 }],
  ["a grant that has ended", { days: -1 }],
  ["a grant in a team", inTeam],
  ["a grant in a team that has ended", { ...inTeam, becomes: "remove", days: -1 }],
  ["a grant without an effect", { becomes: "remove", days: -1 }, { isRecorded: false }],
  ["a grant that has ended and is live", { becomes: "remove", days: -1 }, { isRecorded: false, isLive: true }],
  ["a grant without an effect beside a team", { becomes: "remove", days: -1 }, { isRecorded: false, stillIn: ["t"] }],
];
test.each(sentences)("%s as a sentence", (name, special, held) => {
  const text = describeEndingGrant({ ...ending, ...special }, { isRecorded: true, previous: "guest", ...held });
  expect(text).toHaveWording(name);
});
