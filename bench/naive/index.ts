/** The resource of the first case as the documentation of dynamic providers shows it: a request for each read and write, code in the state. */
export { TeamMembership } from "./team-membership";
