// The functions of programs, those of the plugin, the package schema and the reference derive from these lookups.
export { getChangeRequest, getChangeRequestChanges, getChangeRequests } from "./change-requests";
export { getMember, getMemberSpaces, getMembers, getMemberTeams } from "./members";
export { getSamlProviders, getSignInProviders } from "./saml";
export { getPublishedSite, getSite, getSites, getTemplateConditions } from "./sites";
export { getTeamMembers } from "./teams";
export { getTranslations } from "./translations";
