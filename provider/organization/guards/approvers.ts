import { z } from "zod";
import { teamId } from "../../resources/shared/common";
import { nearest } from "../../text/mistakes";
import { type Fields, type FileMistake, fieldsAt, listTeamIds } from "../sections/checks";
import { organizationRoles } from "../sections/grants";

const login = z
  .string()
  .regex(/^[\w.-]{1,100}$/, "use the login of a person at the service that has the pull requests, without @");

export const approverSettings = {
  approvers: z
    .record(teamId, z.array(login).min(1).max(50))
    .describe(
      "Who must approve that somebody gets a role, or access in a team, and other approvers: by role or id of the team, the logins of people at the service that has the pull requests; one of them is enough. Reviews and plans name them, and the jobs of `docs-org init github` check them. No run does, but `up --plan` stops if the plan asks for fewer.",
    )
    .optional(),
};

/** Finds approvers of what is neither a role nor a team of the file: nobody would ask for them. */
export function findIdleApprovers(file: Fields): FileMistake[] {
  const allowed = [...organizationRoles, ...listTeamIds(file)];
  return Object.keys(fieldsAt(file, "guards", "approvers"))
    .filter((what) => !allowed.includes(what))
    .map((what) => {
      const guess = nearest(what, allowed);
      const hint = guess === undefined ? "correct or remove it" : `did you mean "${guess}"?`;
      const text = `"${what}" is neither a role nor a team of the file; ${hint}`;
      return { path: ["guards", "approvers", what], text, isAboutName: true };
    });
}
