/** The resource of the first case, written like the examples for dynamic providers: a request per read and write, and code in the state. */
export { TeamMembership } from "./team-membership";
