import type { Guard } from "./guard";

/** Previous roles would be lost with the resources that record them, and sites would be made anew. */
export const otherName: Guard = {
  first: true,
  findViolations({ organization, former = [] }) {
    return former.map((urn) => ({
      path: ["organization"],
      text: `the stack manages "${organization.organization}" as ${urn.split("::").slice(3).join("::")} so far, which is not in the program any more: where it was renamed or moved, add the option aliases: [${JSON.stringify(urn)}] to it, so that nothing is lost`,
    }));
  },
};
