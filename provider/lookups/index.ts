// One line for each lookup: the functions of programs, those of the plugin, the package schema and the reference derive from it.
export {
  changeRequest as getChangeRequest,
  changeRequestChanges as getChangeRequestChanges,
  changeRequests as getChangeRequests,
} from "./change-requests";
export {
  member as getMember,
  memberSpaces as getMemberSpaces,
  members as getMembers,
  memberTeams as getMemberTeams,
} from "./members";
export { samlProviders as getSamlProviders, signInProviders as getSignInProviders } from "./saml";
export {
  publishedSite as getPublishedSite,
  site as getSite,
  sites as getSites,
  templateConditions as getTemplateConditions,
} from "./sites";
export { teamMembers as getTeamMembers } from "./teams";
export { translations as getTranslations } from "./translations";
