import { describe, expect, it } from "vitest";
import { memberRole } from "../../provider/resources/member-role";
import { memberRoles } from "../../provider/resources/member-roles/member-roles";
import { teamId, userName, userPattern } from "../../provider/resources/shared/common";
import { teamMembers } from "../../provider/resources/team-members/team-members";
import { teamMembership } from "../../provider/resources/team-membership/team-membership";
import { failuresOf } from "../../provider/run/properties";

/** Names that would not match the member that they are meant for. */
const wrong = [
  " user_ada",
  "ada@acme.test ",
  "ada@acme.test\r",
  "ada@acme.test\n",
  "ada\u200b@acme.test",
  "\u202eada@acme.test",
  "ada\u3164@acme.test",
  "ada\u034f@acme.test",
  "ada\u115f@acme.test",
  "ada\ufe0f@acme.test",
  "user_\u17b4ada",
  "@",
  "@acme.test",
  "ada@",
  "a@b@c",
  "Ada <ada@acme.test>",
  "ada@acme.test,bea@acme.test",
  "*@acme.test",
  "x".repeat(100_000),
];

describe("a user is refused at preview, in a short sentence", () => {
  it.each(wrong)("%j", (user) => {
    const declarations = [
      failuresOf(memberRole.inputs, { user, role: "read" }),
      failuresOf(memberRoles.inputs, { roles: { [user]: "read" } }),
      failuresOf(teamMembership.inputs, { teamId: "team_1", user }),
      failuresOf(teamMembers.inputs, { teamId: "team_1", members: { [user]: "member" } }),
    ];
    for (const failures of declarations) {
      expect(failures).toHaveLength(1);
      expect(failures[0]?.reason).toContain("use a user id or");
      expect(JSON.stringify(failures).length).toBeLessThan(500);
    }
  });
});

it.each(["user_ada", "a", "Ada.O'Neil+docs@acme-eu.test", "é@ü.test", "07"])("a user can be called %j", (user) => {
  expect(failuresOf(memberRole.inputs, { user, role: "read" })).toEqual([]);
  expect(failuresOf(teamMembers.inputs, { teamId: "team_1", members: { [user]: "member" } })).toEqual([]);
});

it.each(["", "t 1", "t1/../t2", "t1\n", "t:1", "t\u3164", "t\u034f1"])("a team cannot be called %j", (teamId) => {
  const reason = expect.stringContaining("use the id of");
  expect(failuresOf(teamMembership.inputs, { teamId, user: "user_ada" })).toEqual([{ property: "teamId", reason }]);
});

it("no default-ignorable character of Unicode is allowed in a name or pattern", () => {
  const invisible = Array.from({ length: 0x110000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Default_Ignorable_Code_Point}/u.test(character));
  expect(invisible.length).toBeGreaterThan(4_000);
  for (const character of invisible) {
    expect(userName.safeParse(`ada${character}@acme.test`).success).toBe(false);
    expect(teamId.safeParse(`t${character}`).success).toBe(false);
    expect(userPattern.safeParse(`*${character}@acme.test`).success).toBe(false);
  }
});
