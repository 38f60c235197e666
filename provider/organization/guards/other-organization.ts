import type { Guard } from "./guard";

/** Refuses another organization id: everything in the previous organization would be released, which no other guard checks. */
export const otherOrganization: Guard = {
  first: true,
  findViolations({ organization: { organization }, recorded }) {
    const roles = recorded.filter(({ resource }) => resource === "MemberRoles");
    const before = roles.map(({ outputs }) => outputs.organizationId).find((id) => id && id !== organization);
    if (before === undefined) return [];
    const text = `the stack manages organization "${before}" here; switching to "${organization}" would release everyone in "${before}"; keep "${before}", and use a separate stack or component for "${organization}"`;
    return [{ path: ["organization"], text }];
  },
};
