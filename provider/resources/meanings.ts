// Made by `npm run reference` from the schemas of the resources.

/** The name of a resource, which is that of its class. */
export type ResourceName =
  | "MemberRole"
  | "MemberRoles"
  | "SamlProvider"
  | "Site"
  | "SiteAdaptiveSchema"
  | "SiteStructureOrder"
  | "TeamMembers"
  | "TeamMembership"
  | "Translation";

/** Inputs that are no properties of the service. Every other input that leaves the program is no longer managed. */
export const meanings: Readonly<Record<string, Readonly<Record<string, "option" | "selection">>>> = {
  MemberRole: { onDestroy: "option", allowRaise: "option" },
  MemberRoles: {
    ignore: "selection",
    onDestroy: "option",
    onRemoval: "option",
    onRemovalOf: "option",
    allowRaise: "option",
    allowRaiseOf: "option",
  },
  SamlProvider: { allowTwin: "option" },
  Site: { allowReplace: "option", allowTwin: "option" },
  SiteAdaptiveSchema: { allowBreaking: "option", onDestroy: "option" },
  SiteStructureOrder: {},
  TeamMembers: { ignore: "option", removeExisting: "option", allowNoOwner: "option", onDestroy: "option" },
  TeamMembership: {},
  Translation: { allowTwin: "option" },
};
