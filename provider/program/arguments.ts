// Made by `npm run reference` from the schemas of the resources.
import type { AdaptiveJsonSchema, Claim, OrderNode, RichText } from "./service-types";
import type { Arguments } from "./types";

/** Properties of `MemberRole` that a program can declare. */
export interface MemberRoleInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /**
   * User id, or e-mail in any case. An e-mail that no member has is `pending` until the person has joined. A change
   * of `user` is an update.
   */
  user: string;

  /**
   * Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and
   * null make a guest.
   */
  role: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;

  /** Marks the person as a member by single sign-on. The API cannot remove the mark. */
  sso?: true | undefined;

  /**
   * What happens to a person when the role is no longer managed: `restore` the previous role (the default), `leave`
   * the role as it is, make the person a `guest`, or `remove` the person from the organization.
   */
  onRelease?: "restore" | "leave" | "guest" | "remove" | undefined;

  /**
   * Allow `restore` to set a previous role that is more powerful than the role that the person has at that time.
   */
  allowRaise?: boolean | undefined;
}

/** Arguments of `MemberRole`: each value is plain, or an output of another resource. */
export type MemberRoleArgs = Arguments<MemberRoleInputs>;

/** Outputs of `MemberRole` in addition to its inputs. */
export interface MemberRoleOutputs {
  /** Id of the user, which stays when the person's e-mail changes; null while no member has the e-mail. */
  userId: string | null;

  /** Role that the person had before it was managed; none while the person is not a member. */
  previousRole?: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null | undefined;

  /** E-mail of the person; null if it is hidden, and while the person is not a member. */
  email: string | null;

  /** Name that the person chose; null while the person is not a member. */
  displayName: string | null;

  /** No member has the e-mail yet. The role is given by the first update after a member has the e-mail. */
  pending?: true | undefined;

  /** The person has left the organization. The role counts again if the person comes back. */
  absent?: true | undefined;

  /** Previous users, if a change of `user` could not release these people yet. The next update releases them. */
  releasing?:
    | {
        /** The previous user, as it was declared; an e-mail in lower case. */
        user: string;
        /** User id of the person. */
        userId: string;
        /** Role of the person. */
        role: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;
        /** Role that the person had before it was managed. */
        previousRole: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;
      }[]
    | undefined;
}

/** Properties of `MemberRoles` that a program can declare. */
export interface MemberRolesInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /**
   * Role of each person, by user id or by e-mail in any case. Only listed people are managed. `onRelease` decides
   * what happens to a person who is no longer listed.
   */
  roles: Record<string, "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null>;

  /**
   * People of `roles` to mark as members by single sign-on. The API cannot remove the mark, so deleting a person
   * from the list sends nothing.
   */
  sso?: string[] | undefined;

  /**
   * Users who are not managed although they are in `roles`: ids, or case-insensitive globs on the whole e-mail, such
   * as `*@contractor.test`.
   */
  ignore?: string[] | undefined;

  /**
   * What happens to members of the organization whose role no resource of the stack declares. Only an up with a
   * reviewed plan changes people, and only those of the plan: `docs-org up`, or `pulumi up` with `DOCS_PLAN`. Name
   * the people of other stacks in `ignore`.
   */
  others?:
    | {
        /**
         * `keep` them as they are (the default), `refuse` every change while there are some, make each of them a `guest`,
         * or `remove` them from the organization.
         */
        members?: "keep" | "refuse" | "guest" | "remove" | undefined;
        /**
         * People who stay as they are: ids, or case-insensitive globs on the whole e-mail, such as `*@vendor.test`. A
         * member who hides the e-mail may match a glob, and stays as well.
         */
        ignore?: string[] | undefined;
      }
    | undefined;

  /**
   * What happens to a person when the role is no longer managed: `restore` the previous role (the default), `leave`
   * the role as it is, make the person a `guest`, or `remove` the person from the organization. An object has a
   * value for each occasion.
   */
  onRelease?:
    | "restore"
    | "leave"
    | "guest"
    | "remove"
    | {
        /** What a deletion of the resource does; by default, `restore`. */
        destroy?: "restore" | "leave" | "guest" | "remove" | undefined;
        /** What happens to a person who is no longer in `roles` while the resource stays; by default, as `destroy`. */
        removal?: "restore" | "leave" | "guest" | "remove" | undefined;
        /**
         * Replaces `removal` for single people, by user id or by e-mail in any case. People that the resource never
         * managed are not changed. One use is a role that was granted for a limited time.
         */
        people?: Record<string, "restore" | "leave" | "guest" | "remove"> | undefined;
      }
    | undefined;

  /**
   * Allow `restore` to set a previous role that is more powerful than the role that the person has at that time.
   */
  allowRaise?: boolean | undefined;

  /** Single people to which `allowRaise` applies, by user id or by e-mail in any case. */
  allowRaiseOf?: string[] | undefined;
}

/** Arguments of `MemberRoles`: each value is plain, or an output of another resource. */
export type MemberRolesArgs = Arguments<MemberRolesInputs>;

/** Outputs of `MemberRoles` in addition to its inputs. */
export interface MemberRolesOutputs {
  /** User ids by the e-mails in `roles`. An id stays when the person's e-mail changes. */
  userIds: Record<string, string>;

  /**
   * Previous roles by user id: the role that a person had before it was managed. For a person who is not listed
   * here, the previous role equals the role in `roles`.
   */
  previousRoles: Record<string, "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null>;

  /** E-mails that no member has yet. The role is given by the first update after a member has the e-mail. */
  pending?: string[] | undefined;

  /** People who have left the organization, by their key in the declaration. They count again if they come back. */
  absent?: string[] | undefined;

  /**
   * Ids of undeclared members that a refresh found because of `others`. The next update with a reviewed plan changes
   * them.
   */
  found?: string[] | undefined;
}

/** Properties of `SamlProvider` that a program can declare. */
export interface SamlProviderInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Name of the provider on the sign-in page, 1 to 30 characters. */
  label: string;

  /** Entity id of the identity provider, at most 1024 characters. */
  entityID?: string | undefined;

  /**
   * Certificate with which the identity provider signs (X.509, PEM), at most 10,000 characters. A text may contain
   * several certificates, which are all trusted. Order and line breaks do not count as a change.
   */
  certificate?: string | undefined;

  /** URL of the identity provider to which a sign-in is sent. An absolute URL, at most 2048 characters. */
  ssoURL?: string | undefined;

  /**
   * Id of the team that people join when they sign in for the first time. The API can change it, but not remove it.
   */
  defaultTeam?: string | undefined;

  /** Role of people who sign in for the first time; `guest` and null make them guests. */
  defaultRole?: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null | undefined;

  /**
   * Allow the creation of a duplicate. Otherwise, a creation is refused if the service has the same object already
   * and this stack does not manage it, or records it under a name that the program no longer declares.
   */
  allowDuplicate?: boolean | undefined;
}

/** Arguments of `SamlProvider`: each value is plain, or an output of another resource. */
export type SamlProviderArgs = Arguments<SamlProviderInputs>;

/** Outputs of `SamlProvider` in addition to its inputs. */
export interface SamlProviderOutputs {
  /** Id of the provider. */
  samlProviderId: string;

  /** `active` when it can sign people in, `pending` while something is missing. */
  status: string;

  /** SHA-256 fingerprint of the first certificate; null if there is none. */
  fingerprint: string | null;

  /** When the first certificate expires; null if there is none. A date and time (ISO 8601). */
  expiresAt: string | null;

  /**
   * All live certificates, each with its SHA-256 fingerprint and the time of its expiry. Each of them can sign
   * people in.
   */
  certificates: {
    /** SHA-256 fingerprint of the certificate. */
    fingerprint: string;
    /** When the certificate expires. A date and time (ISO 8601). */
    expiresAt: string;
  }[];

  /**
   * The settings that the identity provider needs: the address for assertions, the address at which a sign-in
   * starts, and the entity id of the service.
   */
  service: {
    /** URL for assertions. */
    acsURL: string;
    /** URL at which a sign-in starts. */
    startURL: string;
    /** Entity id of the service. */
    entityID: string;
  };

  /** When the provider was created. A date and time (ISO 8601). */
  createdAt: string;
}

/** Properties of `Site` that a program can declare. */
export interface SiteInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Title of the site, 2 to 128 characters. */
  title?: string | undefined;

  /** Plan of the site; the service chooses one if omitted. Can only be set at creation. */
  type?: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium" | undefined;

  /**
   * Who can open the site once it is published: `public` (anyone, indexed by search engines), `unlisted` (anyone,
   * not indexed), `share-link` (anyone with a secret link), `visitor-auth` (visitors authenticated with a JWT).
   */
  visibility?: "public" | "unlisted" | "share-link" | "visitor-auth" | undefined;

  /** Ids of the site's initial spaces. Can only be set at creation. */
  spaces?: string[] | undefined;

  /** Name of the site in its default URL, 1 to 100 characters. */
  basename?: string | undefined;

  /**
   * Host and path under which the site is served, such as "www.acme.test/docs"; null and an empty text remove the
   * proxy. At most 512 characters.
   */
  proxy?: string | null | undefined;

  /** Whether agents can access the site: `excluded` or `included`. Removed in newer versions of the service. */
  agentsContext?: "excluded" | "included" | undefined;

  /** Adaptive content: pages show or hide parts depending on the visitor's claims. */
  adaptiveContent?:
    | {
        /** Whether content adapts to the visitor's claims. */
        enabled: boolean;
      }
    | undefined;

  /**
   * Id of the site space that opens at the root; on a site with sections, the default site space of the default
   * section.
   */
  defaultSiteSpace?: string | undefined;

  /**
   * Id of the space that opens at the root. Use it instead of `defaultSiteSpace` if the id of the site space is not
   * known yet. The site must be published.
   */
  defaultSpace?: string | undefined;

  /** Id of the site section that opens at the root. */
  defaultSiteSection?: string | undefined;

  /** Whether the site is published. Only a published site can be opened, by the people that `visibility` allows. */
  published?: boolean | undefined;

  /** Allow replacement and accept the losses listed in the error. */
  allowReplace?: boolean | undefined;

  /**
   * Allow the creation of a duplicate. Otherwise, a creation is refused if the service has the same object already
   * and this stack does not manage it, or records it under a name that the program no longer declares.
   */
  allowDuplicate?: boolean | undefined;
}

/** Arguments of `Site`: each value is plain, or an output of another resource. */
export type SiteArgs = Arguments<SiteInputs>;

/** Outputs of `Site` in addition to its inputs. */
export interface SiteOutputs {
  /** Id of the site. */
  siteId: string;

  /** Live plan of the site, which may differ from the one that it was created with. */
  liveType: string;

  /** Live ids of the spaces of the site; null unless `spaces` is declared and the site is published. */
  liveSpaces: string[] | null;

  /** Number of site spaces. */
  siteSpaces: number;

  /**
   * Ids of the site spaces by the id of the space that they show. Empty unless the site is published and `spaces`,
   * `defaultSpace`, `defaultSiteSpace` or `defaultSiteSection` is declared, because reading them takes a separate
   * request.
   */
  siteSpaceIds: Record<string, string>;

  /** Ids of the live features of the site, without those that are frozen. */
  features: string[];

  /** Address to which the proxy must send requests; null if the site has no `proxy`. */
  proxyTarget: string | null;

  /** Custom hostname; null if the site has none. */
  hostname: string | null;

  /**
   * Addresses of the site, as far as the service returns them: in the API, in the app, and, while the site is
   * published, for visitors.
   */
  urls: {
    /** URL of the site in the API. */
    location?: string | undefined;
    /** URL of the site in the app. */
    app?: string | undefined;
    /** URL for visitors, while the site is published. */
    published?: string | undefined;
  };

  /** When the site was created. A date and time (ISO 8601). */
  createdAt: string;
}

/** Properties of `SiteAdaptiveSchema` that a program can declare. */
export interface SiteAdaptiveSchemaInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the site. */
  siteId: string;

  /** The whole JSON Schema (draft-07), as in the API. Use either this, or `claims` and `unsignedClaims`. */
  jsonSchema?: AdaptiveJsonSchema | undefined;

  /**
   * Claims of a visitor by name, each with its type and description. The JSON Schema around them is generated. If
   * omitted, the live ones stay.
   */
  claims?: Record<string, Claim> | undefined;

  /** Unsigned claims by name. If omitted, the live ones stay. */
  unsignedClaims?: Record<string, Claim> | undefined;

  /** Allow a claim to be removed, or to get another type, although a condition of the site uses it. */
  allowBreaking?: boolean | undefined;

  /**
   * What a deletion does, because the API cannot delete a schema: `leave` (changes nothing), or `remove` (removes
   * all claims; the default).
   */
  onRelease?: "leave" | "remove" | undefined;
}

/** Arguments of `SiteAdaptiveSchema`: each value is plain, or an output of another resource. */
export type SiteAdaptiveSchemaArgs = Arguments<SiteAdaptiveSchemaInputs>;

/** Outputs of `SiteAdaptiveSchema` in addition to its inputs. */
export type SiteAdaptiveSchemaOutputs = Record<never, never>;

/** Properties of `SiteStructureOrder` that a program can declare. */
export interface SiteStructureOrderInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the site, which must be published. */
  siteId: string;

  /**
   * Sections, groups and site spaces in the wanted order, nested as they are in the site. Each is an id, or
   * `{ id, order }` with the order of the items inside. Instead of the id of a site space, the id of its space can
   * be listed if the site has the space only once; it is known before the site exists. Unlisted items follow at the
   * end of their level, in their live order.
   */
  order: OrderNode[];
}

/** Arguments of `SiteStructureOrder`: each value is plain, or an output of another resource. */
export type SiteStructureOrderArgs = Arguments<SiteStructureOrderInputs>;

/** Outputs of `SiteStructureOrder` in addition to its inputs. */
export type SiteStructureOrderOutputs = Record<never, never>;

/** Properties of `TeamMembers` that a program can declare. */
export interface TeamMembersInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the team. The API cannot create teams: create them in the app. */
  teamId: string;

  /**
   * All members of the team by user id or e-mail, with their role: `owner` (manages the members of the team) or
   * `member`. An e-mail that no member of the organization has is pending until the person has joined.
   */
  members: Record<string, "owner" | "member">;

  /**
   * People that this resource does not manage: user ids, or case-insensitive globs on the whole e-mail
   * (`*@contractor.test`). They are neither added nor removed nor shown.
   */
  ignore?: string[] | undefined;

  /**
   * The declared people are the only members: the creation removes the others instead of refusing them. The up names
   * these people; the preview of a creation names them only with the provider plugin.
   */
  exclusive?: boolean | undefined;

  /** Allow a change that leaves the team without an owner. */
  allowNoOwner?: boolean | undefined;

  /**
   * What happens to the declared people when the resource is deleted: `leave` them in the team, or `remove` them
   * from it (the default). People who leave `members` are always removed.
   */
  onRelease?: "leave" | "remove" | undefined;
}

/** Arguments of `TeamMembers`: each value is plain, or an output of another resource. */
export type TeamMembersArgs = Arguments<TeamMembersInputs>;

/** Outputs of `TeamMembers` in addition to its inputs. */
export interface TeamMembersOutputs {
  /** User ids by declared e-mail. An id stays when the person's e-mail changes. */
  userIds: Record<string, string>;

  /** E-mails that no member of the organization has yet. Each person is added once a member has the e-mail. */
  pending: string[];

  /** People who have left the organization, by their key in the declaration. They count again if they come back. */
  absent?: string[] | undefined;

  /** Ids of unmanaged members that a refresh found in the team. The next update removes them. */
  found: string[];
}

/** Properties of `TeamMembership` that a program can declare. */
export interface TeamMembershipInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the team. The API cannot create teams: create them in the app. */
  teamId: string;

  /**
   * User id, or e-mail in any case. An e-mail that no member has is `pending` until the person has joined. A change
   * of `user` is an update.
   */
  user: string;

  /**
   * Role in the team: `owner` (manages the members of the team) or `member`. By default, a new person is a member.
   */
  role?: "owner" | "member" | undefined;
}

/** Arguments of `TeamMembership`: each value is plain, or an output of another resource. */
export type TeamMembershipArgs = Arguments<TeamMembershipInputs>;

/** Outputs of `TeamMembership` in addition to its inputs. */
export interface TeamMembershipOutputs {
  /** Id of the user, which stays when the person's e-mail changes; null while the membership is pending. */
  userId: string | null;

  /**
   * True while no member has the e-mail. The e-mail was sent to the service once, and is sent again when the person
   * has joined. (The API document does not say what the service does with it.)
   */
  pending: boolean;

  /** The person has left the organization. The membership counts again if the person comes back. */
  absent?: true | undefined;

  /**
   * Previous users, if a change of `user` could not remove these people from the team yet. The next update removes
   * them.
   */
  releasing?:
    | {
        /** The previous user, as it was declared. */
        user: string;
        /** User id of the person; null if no member has the e-mail. */
        userId: string | null;
        /** Role in the team: `owner` (can manage the team's members) or `member`. */
        role?: "owner" | "member" | undefined;
      }[]
    | undefined;
}

/** Properties of `Translation` that a program can declare. */
export interface TranslationInputs {
  /**
   * Id of the organization. By default, the one from the settings (DOCS_ORGANIZATION_ID or docs:organizationId),
   * which the resource then keeps. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Source of the translation: a space and its language. Can only be set at creation. */
  source: {
    /** Id of the space to translate. */
    space: string;
    /** Code of the language in which the space is written, such as `en`. 1 to 16 characters. */
    language: string;
  };

  /** Code of the target language, such as `fr`. Can only be set at creation. 1 to 16 characters. */
  language: string;

  /** Instructions for the translation: plain text with one paragraph per line, or rich text as in the API. */
  instructions?: string | RichText | undefined;

  /** Any value. When it changes, the translation runs again. */
  rerun?: unknown;

  /**
   * Allow the creation of a duplicate. Otherwise, a creation is refused if the service has the same object already
   * and this stack does not manage it, or records it under a name that the program no longer declares.
   */
  allowDuplicate?: boolean | undefined;
}

/** Arguments of `Translation`: each value is plain, or an output of another resource. */
export type TranslationArgs = Arguments<TranslationInputs>;

/** Outputs of `Translation` in addition to its inputs. */
export interface TranslationOutputs {
  /** Id of the translation. */
  translationId: string;

  /** The translated space and its revision; null until the first run is complete. */
  result: {
    /** Id of the translated space. */
    space: string;
    /** Revision of the translated space. */
    revision: string;
  } | null;

  /** `pending`, `running` or `completed`, at the last read. */
  status: string;

  /** When the translation was created. A date and time (ISO 8601). */
  createdAt: string;
}
