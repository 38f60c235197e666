// Made by `npm run reference` from the schemas of the resources.
import type { AdaptiveJsonSchema, Claim, OrderNode, RichText } from "../../hosts/dynamic/service-types";
import type { Arguments } from "./resource-class";

/** Properties of `MemberRole` that a program can declare. */
export interface MemberRoleInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** User id, or e-mail in any case. A change of it is an update. */
  user: string;

  /**
   * Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and
   * null make a guest.
   */
  role: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;

  /** Marks the person as a member by single sign-on. The API can not take the mark back. */
  sso?: true | undefined;

  /**
   * What it means for a person that the role is not managed any more: `restore` (the role found when it was taken
   * under management; the default), `leave`, `guest`, or `remove` from the organization.
   */
  onDestroy?: "restore" | "leave" | "guest" | "remove" | undefined;

  /** Allows `restore` to bring back a role that is more powerful than the one that the person has by then. */
  allowRaise?: boolean | undefined;
}

/** Arguments of `MemberRole`: each value is plain, or an output of another resource. */
export type MemberRoleArgs = Arguments<MemberRoleInputs>;

/** Outputs of `MemberRole` in addition to its inputs. */
export interface MemberRoleOutputs {
  /** Id of the user, which stays when the e-mail changes. */
  userId: string;

  /** Role that the person had when it was taken under management. */
  previousRole: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;

  /** E-mail of the person; null if it is hidden. */
  email: string | null;

  /** Name that the person chose. */
  displayName: string;

  /** Whom a change of `user` could not release yet, as it was declared so far: the next update does. */
  releasing?:
    | {
        user: string;
        userId: string;
        /**
         * Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and
         * null make a guest.
         */
        role: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;
        /**
         * Role in the organization, the most powerful first: admin, create, review, edit, comment or read; `guest` and
         * null make a guest.
         */
        previousRole: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null;
      }
    | undefined;
}

/** Properties of `MemberRoles` that a program can declare. */
export interface MemberRolesInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /**
   * Role of each person, by user id or by e-mail in any case. Only who is listed is managed; for somebody who leaves
   * the map, `onDestroy` says what happens.
   */
  roles: Record<string, "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null>;

  /**
   * Who of `roles` is marked as a member by single sign-on. The API can not take the mark back, so leaving the list
   * sends nothing.
   */
  sso?: string[] | undefined;

  /**
   * Users who are left alone although they are in `roles`: ids, or globs on the whole e-mail without case, such as
   * `*@contractor.test`.
   */
  ignore?: string[] | undefined;

  /**
   * What it means for a person that the role is not managed any more: `restore` (the role found when it was taken
   * under management; the default), `leave`, `guest`, or `remove` from the organization.
   */
  onDestroy?: "restore" | "leave" | "guest" | "remove" | undefined;

  /** What leaving `roles` means for a person while the resource stays; left out, it is what `onDestroy` says. */
  onRemoval?: "restore" | "leave" | "guest" | "remove" | undefined;

  /**
   * What leaving `roles` means for single people, by user id or by e-mail in any case, in place of `onRemoval`: for
   * a role that was granted for a time. Whom the resource never managed is left alone.
   */
  onRemovalOf?: Record<string, "restore" | "leave" | "guest" | "remove"> | undefined;

  /** Allows `restore` to bring back a role that is more powerful than the one that the person has by then. */
  allowRaise?: boolean | undefined;

  /** Single people for whom `allowRaise` is declared, by user id or by e-mail in any case. */
  allowRaiseOf?: string[] | undefined;
}

/** Arguments of `MemberRoles`: each value is plain, or an output of another resource. */
export type MemberRolesArgs = Arguments<MemberRolesInputs>;

/** Outputs of `MemberRoles` in addition to its inputs. */
export interface MemberRolesOutputs {
  /** Ids of the users whom `roles` names by e-mail, which stay when the e-mail changes. */
  userIds: Record<string, string>;

  /**
   * By user id, the role found when it was taken under management; who is not listed here had the role that `roles`
   * shows.
   */
  previousRoles: Record<string, "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null>;
}

/** Properties of `SamlProvider` that a program can declare. */
export interface SamlProviderInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Name of the provider on the sign-in page, 1 to 30 characters. */
  label: string;

  /** Entity id of the identity provider, at most 1024 characters. */
  entityID?: string | undefined;

  /**
   * Certificate with which the identity provider signs (X.509, PEM), at most 10,000 characters. A text with several
   * certificates trusts all of them. Compared by the certificates in it, not by their order or line breaks.
   */
  certificate?: string | undefined;

  /** URL of the identity provider to which a sign-in is sent. An absolute URL, at most 2048 characters. */
  ssoURL?: string | undefined;

  /**
   * Id of the team that people join when they sign in for the first time. The API can change it, but not take it
   * away.
   */
  defaultTeam?: string | undefined;

  /** Role of people who sign in for the first time; `guest` and null make them guests. */
  defaultRole?: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null | undefined;

  /**
   * Allows the creation although something that looks the same was made within the last hour and is not managed by
   * this stack, or is recorded in this stack under a name that leaves the program.
   */
  allowTwin?: boolean | undefined;
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

  /** Every live certificate, by its SHA-256 fingerprint, and when it expires: each of them can sign people in. */
  certificates: { fingerprint: string; expiresAt: string }[];

  /** What the identity provider asks for: where assertions are posted, where a sign-in starts, our entity id. */
  service: { acsURL: string; startURL: string; entityID: string };

  /** When the provider was created. A date and time (ISO 8601). */
  createdAt: string;
}

/** Properties of `Site` that a program can declare. */
export interface SiteInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
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
   * Host and path under which the site is served, such as "www.acme.test/docs"; null removes the proxy. At most 512
   * characters.
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
   * Id of the space that opens at the root: in place of `defaultSiteSpace`, if the id of the site space is not known
   * yet. The site must be published.
   */
  defaultSpace?: string | undefined;

  /** Id of the site section that opens at the root. */
  defaultSiteSection?: string | undefined;

  /** Whether the site is open to those whom `visibility` names. */
  published?: boolean | undefined;

  /** Allows a change that replaces the resource, with the loss that the refusal names. */
  allowReplace?: boolean | undefined;

  /**
   * Allows the creation although something that looks the same was made within the last hour and is not managed by
   * this stack, or is recorded in this stack under a name that leaves the program.
   */
  allowTwin?: boolean | undefined;
}

/** Arguments of `Site`: each value is plain, or an output of another resource. */
export type SiteArgs = Arguments<SiteInputs>;

/** Outputs of `Site` in addition to its inputs. */
export interface SiteOutputs {
  /** Id of the site. */
  siteId: string;

  /** Plan that the site has now, whatever it was created with. */
  liveType: string;

  /** Ids of the spaces that the site holds now; null unless `spaces` is declared and the site is published. */
  liveSpaces: string[] | null;

  /** Number of site spaces. */
  siteSpaces: number;

  /**
   * Ids of the site spaces, by the id of the space that each of them shows. Only the published profile has them,
   * which is a request of its own: empty unless `spaces` or one of the defaults is declared and the site is
   * published.
   */
  siteSpaceIds: Record<string, string>;

  /** Ids of the features that the site has now, without those that are frozen. */
  features: string[];

  /** Where the proxy has to send requests; null if the site has no `proxy`. */
  proxyTarget: string | null;

  /** Custom hostname; null where the site has none. */
  hostname: string | null;

  /**
   * Addresses of the site in the API and in the app, and its public one while it is published, as far as the service
   * shows them.
   */
  urls: { location?: string | undefined; app?: string | undefined; published?: string | undefined };

  /** When the site was created. A date and time (ISO 8601). */
  createdAt: string;
}

/** Properties of `SiteAdaptiveSchema` that a program can declare. */
export interface SiteAdaptiveSchemaInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the site. */
  siteId: string;

  /** The whole JSON Schema (draft-07), as the API has it. Use either this, or `claims` and `unsignedClaims`. */
  jsonSchema?: AdaptiveJsonSchema | undefined;

  /** Claims of a visitor by name, each with its type and description; the schema around them is added. */
  claims?: Record<string, Claim> | undefined;

  /** Claims that nobody signed, by name. Left out, those that are live stay. */
  unsignedClaims?: Record<string, Claim> | undefined;

  /** Allows to remove a claim, or to change its type, although a condition of the site uses it. */
  allowBreaking?: boolean | undefined;

  /** What destroy means, since the API can not delete a schema: `empty` (no claims; the default) or `leave`. */
  onDestroy?: "empty" | "leave" | undefined;
}

/** Arguments of `SiteAdaptiveSchema`: each value is plain, or an output of another resource. */
export type SiteAdaptiveSchemaArgs = Arguments<SiteAdaptiveSchemaInputs>;

/** Outputs of `SiteAdaptiveSchema` in addition to its inputs. */
export type SiteAdaptiveSchemaOutputs = Record<never, never>;

/** Properties of `SiteStructureOrder` that a program can declare. */
export interface SiteStructureOrderInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the site, which has to be published. */
  siteId: string;

  /**
   * Sections, groups and site spaces in the order that they shall have, nested as they are: each is an id, or
   * `{ id, order }` with the order of what is inside. What is not listed keeps its order at the end of its level.
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
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the team. The API can not make teams: they are made in the app. */
  teamId: string;

  /**
   * Everybody who is in the team, by user id or e-mail, with the role: `owner` (manages its members) or `member`. An
   * e-mail that no member of the organization has is pending until its owner has joined.
   */
  members: Record<string, "owner" | "member">;

  /**
   * People who are none of this resource's business: user ids, or globs on the whole e-mail without case
   * (`*@contractor.test`). They are neither added nor removed nor shown.
   */
  ignore?: string[] | undefined;

  /**
   * Allows the creation to remove people who are in the team already and are not declared. The preview of a creation
   * can not name them; the up does.
   */
  removeExisting?: boolean | undefined;

  /** Allows a change that leaves the team without an owner. */
  allowNoOwner?: boolean | undefined;

  /** What destroy means for the people declared: `remove` from the team (the default) or `leave` them in it. */
  onDestroy?: "remove" | "leave" | undefined;
}

/** Arguments of `TeamMembers`: each value is plain, or an output of another resource. */
export type TeamMembersArgs = Arguments<TeamMembersInputs>;

/** Outputs of `TeamMembers` in addition to its inputs. */
export interface TeamMembersOutputs {
  /** Ids of the people who are named by e-mail; an id stays when its e-mail changes. */
  userIds: Record<string, string>;

  /** E-mails that no member of the organization has yet; each is asked for again when its owner has joined. */
  pending: string[];

  /** Ids of people whom a refresh found in the team and nobody declared; the next update removes them. */
  found: string[];
}

/** Properties of `TeamMembership` that a program can declare. */
export interface TeamMembershipInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
   */
  organizationId?: string | undefined;

  /** Id of the team. The API can not make teams: they are made in the app. */
  teamId: string;

  /**
   * User id, or e-mail in any case. An e-mail that no member has is `pending` until its owner has joined. A change
   * of it is an update.
   */
  user: string;

  /** Role in the team: `owner` (manages its members) or `member`. Left out, a new one is a member. */
  role?: "owner" | "member" | undefined;
}

/** Arguments of `TeamMembership`: each value is plain, or an output of another resource. */
export type TeamMembershipArgs = Arguments<TeamMembershipInputs>;

/** Outputs of `TeamMembership` in addition to its inputs. */
export interface TeamMembershipOutputs {
  /** Id of the user, which stays when the e-mail changes; null while the membership is pending. */
  userId: string | null;

  /**
   * True while no member has the e-mail: the service was asked once (what it does then, the API document does not
   * show), and is asked again when the person has joined.
   */
  pending: boolean;

  /**
   * Whom a change of `user` could not take out of the team yet, as it was declared so far: the next update does.
   */
  releasing?:
    | {
        user: string;
        userId: string | null;
        /** Role in the team: `owner` (can manage the team's members) or `member`. */
        role?: "owner" | "member" | undefined;
      }
    | undefined;
}

/** Properties of `Translation` that a program can declare. */
export interface TranslationInputs {
  /**
   * Id of the organization; left out, it is the one of the settings (DOCS_ORGANIZATION_ID or docs:organizationId)
   * and stays with the resource. Changing the declaration replaces the resource.
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

  /** What to keep in mind when translating: plain text, a paragraph a line, or rich text as the API has it. */
  instructions?: string | RichText | undefined;

  /** Any value; when it changes, the translation runs again. */
  rerun?: unknown;

  /**
   * Allows the creation although something that looks the same was made within the last hour and is not managed by
   * this stack, or is recorded in this stack under a name that leaves the program.
   */
  allowTwin?: boolean | undefined;
}

/** Arguments of `Translation`: each value is plain, or an output of another resource. */
export type TranslationArgs = Arguments<TranslationInputs>;

/** Outputs of `Translation` in addition to its inputs. */
export interface TranslationOutputs {
  /** Id of the translation. */
  translationId: string;

  /** The translated space and its revision; null until the first run is complete. */
  result: { space: string; revision: string } | null;

  /** `pending`, `running` or `completed`, as it was when it was last read. */
  status: string;

  /** When the translation was created. A date and time (ISO 8601). */
  createdAt: string;
}
