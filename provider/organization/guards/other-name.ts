import type { Guard } from "./guard";

/** Refuses a renamed or moved component: previous roles would be lost with their resources, and sites would be created again. */
export const otherName: Guard = {
  first: true,
  findViolations({ organization, formerComponents = [] }) {
    return formerComponents.map((urn) => ({
      path: ["organization"],
      text: `the stack manages "${organization.organization}" as ${urn.split("::").slice(3).join("::")}, which is no longer in the program: if the component was renamed or moved, add the option aliases: [${JSON.stringify(urn)}] to it, so that nothing is lost`,
    }));
  },
};
