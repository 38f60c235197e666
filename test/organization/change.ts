import type { Plan } from "../../provider/access/plan-file";
import type { Member } from "../../provider/api/groups/members";
import type { OrganizationFile } from "../../provider/organization/file/types";
import { type PlannedChange, planChange } from "../../provider/organization/guards/change";
import { findViolations } from "../../provider/organization/guards/guards";
import type { GuardedLive as Live } from "../../provider/organization/live/live";
import type { RecordedChild } from "../../provider/organization/live/recorded";

/** Changes of an organization as guards, warnings and notes judge them. */

export const member = (name: string, role: Member["role"], more: Partial<Member> = {}) =>
  ({ role, sso: false, user: { id: `user_${name}`, email: `${name}@acme.test` }, ...more }) as Member;
export const hidden = (name: string, role: Member["role"]) =>
  ({ ...member(name, role), user: { id: `user_${name}` } }) as Member;

export const teammate = (name: string, role = "member") => ({
  userId: `user_${name}`,
  role,
  email: `${name}@acme.test`,
});

export const everybody: Live = {
  members: [
    member("ada", "admin"),
    member("bea", "admin"),
    member("cem", "edit"),
    member("dana", "read"),
    member("eli", null),
  ],
  teams: [{ id: "team_docs", title: "Docs", people: [teammate("ada", "owner"), teammate("cem"), teammate("eli")] }],
  saml: [],
  sites: [],
};

/** What the last run has managed. */
export const roles = (outputs: object): RecordedChild => ({
  resource: "MemberRoles",
  name: "acme-members",
  outputs: { ...outputs },
});
export const team = (outputs: object): RecordedChild => ({
  resource: "TeamMembers",
  name: "acme-team_docs",
  outputs: { teamId: "team_docs", ...outputs },
});

interface Case {
  readonly live?: Partial<Live>;
  readonly recorded?: readonly RecordedChild[];
  readonly former?: readonly string[];
  readonly elsewhere?: readonly string[];
  readonly existing?: PlannedChange["existing"];
  readonly now?: string;
  readonly reviewed?: Pick<Plan, "organizations" | "users">;
}

export function changeOf(
  organization: Omit<OrganizationFile, "organization">,
  { live = {}, recorded = [], former = [], elsewhere = [], existing = [], now = "2026-11-21", reviewed }: Case = {},
) {
  return planChange({
    name: "acme",
    organization: { organization: "acme", ...organization },
    live: { ...everybody, ...live },
    recorded,
    formerComponents: former,
    rolesManagedElsewhere: elsewhere,
    existing,
    declaredBy: "organization.yaml",
    stack: { name: "main", isEmpty: recorded.length === 0, isRunByDocsOrg: true },
    now: new Date(now),
    reviewed: reviewed && { access: [], ...reviewed },
  });
}

/** The texts of what is refused, each after its path. */
export function refused(...change: Parameters<typeof changeOf>) {
  const violations = findViolations(changeOf(...change));
  return violations.map(({ path, text }) => `${path.join(".")}: ${text}`);
}
