import type { Difference } from "../http/ledger";

const notShown = "neither the API document nor the facts beyond it say it";

/** Where the emulator decides for itself about members, teams, SAML providers and translations. */
export const peopleDifferences = {
  caller: {
    rows: ["ping"],
    service: "knows whose token it is",
    emulator:
      "it is the token of the administrator who was there first, or of the user that the option caller names; a caller who is no member gets 404",
    reason: "there is one token",
  },
  visitorClaims: {
    rows: ["ping"],
    service: "answers with a token of claims, or without one; when is not shown, nor what is in it",
    emulator: "a JWT with user id and e-mail, signed with a known key; none with the reading visitorClaims: absent",
    reason: "both are valid answers",
  },
  lastAdministrator: {
    rows: ["updateMember", "removeMember", "updateTeamMembers", "putTeamMember", "removeTeamMember"],
    service: `may refuse to take away the last administrator, or the last owner of a team; ${notShown}`,
    emulator: "lets it happen",
    reason: "a client that relies on a refusal would be wrong where there is none",
  },
  memberSpaces: {
    rows: ["listMemberSpaces", "getMember", "listMembers"],
    service: "derives the spaces of a member from permissions of collections, spaces and teams",
    emulator:
      "members have their role in every space, guests none, unless the seed names a role in a space; newest last",
    reason: "no operation of the document gives a permission; what the list is ordered by is not shown",
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
    reason: "no operation of the document gives a team access to a space",
  },
  peopleOrder: {
    rows: ["listTeamMembers", "listMemberTeams", "listSamlProviders", "listTranslations"],
    service: `lists in some order; ${notShown}`,
    emulator: "in the order of addition or creation",
    reason: "an order has to be stable, so that paging is",
  },
  membershipsAdd: {
    rows: ["updateTeamMembers"],
    service: "takes roles by user in memberships; what it does with users who are not in the team is not shown",
    emulator: "adds them with that role",
    reason: "the operation for one member adds or updates as well",
  },
  membershipsAndRemove: {
    rows: ["updateTeamMembers"],
    service: "removes who is in add and remove; who is in memberships and remove is not shown",
    emulator: "removes them as well",
    reason: "removal is what wins in the case that is shown",
  },
  rolesStay: {
    rows: ["updateTeamMembers", "putTeamMember"],
    service: `what adding somebody who is in the team already does to the role is open; ${notShown}`,
    emulator: "without a role in the request, the role stays; who is new becomes member",
    reason: "adding is not known to take anything away",
  },
  unknownUsers: {
    rows: ["updateTeamMembers", "putTeamMember"],
    service: `what it does with a user id that no member has is open; ${notShown}`,
    emulator: "404 for the one in the path, 400 in add and memberships (nothing is changed), nothing in remove",
    reason: "404 is left to what the path names",
  },
  strangers: {
    rows: ["updateTeamMembers"],
    service: `what adding an e-mail does that no member has is open; ${notShown}`,
    emulator:
      "invites, ignores or refuses it, as the reading strangers says; an invitation waits unseen until the person joins",
    reason: "a client must get along with each",
  },
  hiddenEmails: {
    rows: ["getMember", "listMembers", "listTeamMembers"],
    service: "may leave out the e-mail of a user; when is not shown",
    emulator:
      "shows every e-mail that there is, but those that the reading hiddenEmails names; search finds them all the same",
    reason: "the property is optional",
  },
  samlBlanks: {
    rows: ["createSamlProvider", "getSamlProvider", "listSamlProviders", "updateSamlProvider"],
    service: "answers entityID, certificate and ssoURL also while they are not set; with what is not shown",
    emulator: 'empty texts, and "about:blank" as the URL; written back, they mean not set',
    reason: "all three are required, none may be null, and an empty text is no URL",
  },
  samlActive: {
    rows: ["createSamlProvider", "updateSamlProvider", "listSignInProviders"],
    service: "a provider is active when it can sign users in; by which checks is not shown",
    emulator: "when it has an entity id, a certificate and a URL, whatever is in them",
    reason: "nobody signs in here",
  },
  samlDefaults: {
    rows: ["createSamlProvider"],
    service: `which role it takes where none is sent is open; ${notShown}`,
    emulator: "null, a guest; an unknown team is 400; a default team can be replaced and not removed",
    reason: "the least that can be given; null is not allowed for the team",
  },
  translationTime: {
    rows: ["createTranslation", "getTranslation", "listTranslations", "runTranslation"],
    service: "takes its time",
    emulator: "1 s pending, 2 s running; a further run waits for the one under way; stats count completed runs",
    reason: "tests can not wait for longer",
  },
  translatedSpace: {
    rows: ["getTranslation", "listTranslations"],
    service: "puts the translated content into a space",
    emulator: "names a space and a revision that no other operation knows",
    reason: "nothing is translated here",
  },
  translationLanguages: {
    rows: ["createTranslation"],
    service: `may refuse a language that is the same as that of the source; ${notShown}`,
    emulator: "400; several translations of one space into one language are possible",
    reason: "400 is among the documented errors of this operation",
  },
} as const satisfies Record<string, Difference>;
