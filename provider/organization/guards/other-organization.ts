import type { Guard } from "./guard";

/** Everything would be given up in the organization before, which no other guard looks at. */
export const otherOrganization: Guard = {
  first: true,
  findViolations({ organization: { organization }, recorded }) {
    const roles = recorded.filter(({ resource }) => resource === "MemberRoles");
    const before = roles.map(({ outputs }) => outputs.organizationId).find((id) => id && id !== organization);
    if (before === undefined) return [];
    const text = `the stack manages organization "${before}" here, and "${organization}" would take its place: everybody in "${before}" would lose what was declared; keep "${before}", and use a stack or a component of its own for the other`;
    return [{ path: ["organization"], text }];
  },
};
