import type { Difference } from "../http/ledger";

const notShown = "neither the API document nor other known facts show it";

/** Differences between emulator and service in members, teams, SAML providers and translations. */
export const peopleDifferences = {
  caller: {
    rows: ["ping"],
    service: "knows the owner of the token",
    emulator:
      "the owner of the token is the first administrator, or the user in the option caller; 404 if this user is not a member",
    reason: "there is one token",
  },
  rights: {
    rows: ["*"],
    service: "has permissions for each operation, which are not shown",
    emulator:
      "all rights, unless the option caller names a member: 404 after the removal, and 403 to writes to the organization without the role admin; owners of a team manage its members",
    reason: "a run that lowers or removes its own user can be rehearsed",
  },
  visitorClaims: {
    rows: ["ping"],
    service: "answers with or without a token of claims; when, and with which claims, is not shown",
    emulator: "a JWT with user id and e-mail, signed with a known key; none with the reading visitorClaims: absent",
    reason: "both are valid answers",
  },
  lastAdministrator: {
    rows: ["updateMember", "removeMember", "updateTeamMembers", "putTeamMember", "removeTeamMember"],
    service: `may refuse to remove the last administrator, or the last owner of a team; ${notShown}`,
    emulator: "allows it",
    reason: "a client must not rely on a refusal that may not exist",
  },
  memberSpaces: {
    rows: ["listMemberSpaces", "getMember", "listMembers"],
    service: "derives the spaces of a member from permissions of collections, spaces and teams",
    emulator:
      "members have their role in every space, guests none, unless the seed sets a role in a space; newest last",
    reason: "no operation of the document grants a permission; the order of the list is not shown",
  },
  memberSites: {
    rows: ["getMember", "listMembers"],
    service: "0.202 counts the sites of a member",
    emulator: "all sites for members, none for guests",
    reason: "no operation lists them",
  },
  teamSpaces: {
    rows: ["listMemberTeams", "createSamlProvider", "getSamlProvider"],
    service: "counts the spaces that a team has access to",
    emulator: "always 0",
    reason: "no operation of the document grants a team access to a space",
  },
  peopleOrder: {
    rows: ["listTeamMembers", "listMemberTeams", "listSamlProviders", "listTranslations"],
    service: `has some order; ${notShown}`,
    emulator: "in the order of addition or creation",
    reason: "paging needs a stable order",
  },
  membershipsAdd: {
    rows: ["updateTeamMembers"],
    service: "accepts roles by user in memberships; the effect on users who are not in the team is not shown",
    emulator: "adds them with that role",
    reason: "the operation for a single member also adds or updates",
  },
  membershipsAndRemove: {
    rows: ["updateTeamMembers"],
    service: "removes users in both add and remove; the effect for users in memberships and remove is not shown",
    emulator: "removes them as well",
    reason: "removal wins in the case that is shown",
  },
  rolesStay: {
    rows: ["updateTeamMembers", "putTeamMember"],
    service: `adding a team member again may change the role; ${notShown}`,
    emulator: "without a role in the request, an existing role stays, and a new team member gets the role member",
    reason: "adding is not known to reduce a role",
  },
  unknownUsers: {
    rows: ["updateTeamMembers", "putTeamMember"],
    service: `the answer to a user id that no member has is open; ${notShown}`,
    emulator: "404 in the path; 400 in add and memberships, without any change; ignored in remove",
    reason: "404 is reserved for objects in the path",
  },
  nonMembers: {
    rows: ["updateTeamMembers"],
    service: `the effect of adding an e-mail that no member has is open; ${notShown}`,
    emulator:
      "invites, ignores or refuses it, depending on the reading strangers; an invitation is not visible until the person joins",
    reason: "a client must work with each of them",
  },
  hiddenEmails: {
    rows: ["getMember", "listMembers", "listTeamMembers"],
    service: "may omit the e-mail of a user; when is not shown",
    emulator: "answers all e-mails except those in the reading hiddenEmails; search still finds these",
    reason: "the property is optional",
  },
  samlBlanks: {
    rows: ["createSamlProvider", "getSamlProvider", "listSamlProviders", "updateSamlProvider"],
    service: "answers entityID, certificate and ssoURL even if they are not set; with which values is not shown",
    emulator: 'empty texts, and "about:blank" as the URL; in a request, these values mean not set',
    reason: "all three are required, none may be null, and an empty text is no URL",
  },
  samlActive: {
    rows: ["createSamlProvider", "updateSamlProvider", "listSignInProviders"],
    service: "a provider is active if it can sign users in; how this is checked is not shown",
    emulator: "active if it has any entity id, certificate and URL",
    reason: "nobody signs in to the emulator",
  },
  samlDefaults: {
    rows: ["createSamlProvider"],
    service: `the default role if none is sent is open; ${notShown}`,
    emulator: "null (guest); 400 for an unknown team; a default team can be replaced, but not removed",
    reason: "null grants the least; null is not allowed for the team",
  },
  translationTime: {
    rows: ["createTranslation", "getTranslation", "listTranslations", "runTranslation"],
    service: "takes an unknown time",
    emulator: "1 s pending, 2 s running; a further run waits for the current one; stats count completed runs",
    reason: "tests cannot wait longer",
  },
  translatedSpace: {
    rows: ["getTranslation", "listTranslations"],
    service: "puts the translated content into a space",
    emulator: "answers ids of a space and a revision that no other operation knows",
    reason: "the emulator translates nothing",
  },
  translationLanguages: {
    rows: ["createTranslation"],
    service: `may refuse a language that is the same as that of the source; ${notShown}`,
    emulator: "400; several translations of one space into one language are possible",
    reason: "400 is a documented error of this operation",
  },
} as const satisfies Record<string, Difference>;
