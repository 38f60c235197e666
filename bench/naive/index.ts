/** Resources as the documentation of dynamic providers shows them: a request for each read and write, code in the state. */
export { MemberRole } from "./member-role";
export { Site } from "./site";
export { TeamMembership } from "./team-membership";
