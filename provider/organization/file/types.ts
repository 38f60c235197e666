// Made by `npm run reference` from the schema of the file.
import type { AdaptiveJsonSchema, Claim, OrderNode, RichText } from "../../hosts/dynamic/service-types";

/** An organization: what its file may hold. */
export interface OrganizationFile {
  /** Id of the organization. */
  organization: string;

  /** What no change may do; checked at preview and again at up. */
  guards?:
    | {
        /**
         * Fewest administrators that the organization may have. Counted are live administrators who can sign in, with what
         * this change gives and takes; not those whose role another resource of the stack has managed, unless `members`
         * declares it.
         */
        minAdmins?: number | undefined;
        /** People who have to be administrators, named as in `members`. At most 100 items. */
        requiredAdmins?: string[] | undefined;
        /**
         * Most people who may lose a role or a membership in one run, a lowered role included: a number, or a share of all
         * who have one, such as "25%" (rounded down, at least 1).
         */
        maxRemovals?: number | string | undefined;
      }
    | undefined;

  /**
   * What leaving this file means for a person's role: `leave` it, give back the `previous` one, make a `guest` (the
   * default), or `remove` the person from the organization.
   */
  onRemoval?: "leave" | "previous" | "guest" | "remove" | undefined;

  /**
   * People with their role in the organization, by user id or e-mail: the role, or a grant. Only who is listed is
   * managed.
   */
  members?:
    | Record<
        string,
        | "admin"
        | "create"
        | "review"
        | "edit"
        | "comment"
        | "read"
        | "guest"
        | {
            /** Role in the organization: admin, create, review, edit, comment or read; `guest` makes a guest. */
            role: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest";
            /** Marks the person as a member by single sign-on. The API cannot remove the mark. */
            sso?: true | undefined;
            /**
             * Allows a destroy, and `previous` at the end of the grant, to bring back a role that is more powerful than the
             * one that the person has by then.
             */
            allowRaise?: true | undefined;
            /** Why the person has this, for those who review it; 1 to 500 characters. It is not sent to the service. */
            reason?: string | undefined;
            /** Until when the role is granted, and what follows. */
            expires?:
              | {
                  /** Last day, as 2027-01-31: the grant is valid to its end, in UTC. */
                  on: string;
                  /**
                   * What follows: a role, `guest`, `previous` (the role found when it was taken under management), or `remove` from
                   * the organization.
                   */
                  then: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | "previous" | "remove";
                }
              | undefined;
          }
      >
    | undefined;

  /** Teams by id. */
  teams?:
    | Record<
        string,
        {
          /**
           * Title of the team, for readers: compared with the live one, shown in the review, never written. 1 to 64
           * characters.
           */
          title?: string | undefined;
          /**
           * Everybody who is in the team, by user id or e-mail, with the role or a grant. Left out, its members are not
           * managed.
           */
          members?:
            | Record<
                string,
                | "owner"
                | "member"
                | {
                    /** Role in the team: `owner` (manages its members) or `member`. */
                    role: "owner" | "member";
                    /** Why the person has this, for those who review it; 1 to 500 characters. It is not sent to the service. */
                    reason?: string | undefined;
                    /** Until when the membership is granted, and what follows. */
                    expires?:
                      | {
                          /** Last day, as 2027-01-31: the grant is valid to its end, in UTC. */
                          on: string;
                          /** What follows: a role in the team, or `remove` from it (the default). */
                          then?: "owner" | "member" | "remove" | undefined;
                        }
                      | undefined;
                  }
              >
            | undefined;
          /**
           * Single people in a team that others manage, by user id or e-mail, with the role or a grant. Other people in the
           * team are left alone. A team has either this or `members`.
           */
          memberships?:
            | Record<
                string,
                | "owner"
                | "member"
                | {
                    /** Role in the team: `owner` (manages its members) or `member`. */
                    role: "owner" | "member";
                    /** Why the person has this, for those who review it; 1 to 500 characters. It is not sent to the service. */
                    reason?: string | undefined;
                    /** Until when the membership is granted, and what follows. */
                    expires?:
                      | {
                          /** Last day, as 2027-01-31: the grant is valid to its end, in UTC. */
                          on: string;
                          /** What follows: a role in the team, or `remove` from it (the default). */
                          then?: "owner" | "member" | "remove" | undefined;
                        }
                      | undefined;
                  }
              >
            | undefined;
          /**
           * People that this resource does not manage: user ids, or case-insensitive globs on the whole e-mail
           * (`*@contractor.test`). They are neither added nor removed nor shown.
           */
          ignore?: string[] | undefined;
          /**
           * Allow the creation to remove unmanaged members of the team. The preview of a creation cannot name them; the up
           * does.
           */
          removeExisting?: boolean | undefined;
          /** Allow a change that leaves the team without an owner. */
          allowNoOwner?: boolean | undefined;
          /**
           * What happens to the declared people when the resource is deleted: `remove` them from the team (the default), or
           * `leave` them in it.
           */
          onDestroy?: "remove" | "leave" | undefined;
        }
      >
    | undefined;

  /** SAML identity providers by name. */
  saml?:
    | Record<
        string,
        {
          /** Name of the provider on the sign-in page, 1 to 30 characters. */
          label: string;
          /** Entity id of the identity provider, at most 1024 characters. */
          entityID?: string | undefined;
          /**
           * Certificate that the identity provider signs with (X.509, PEM), at most 10,000 characters. A text may contain
           * several certificates, which are all trusted. Order and line breaks do not count as a change.
           */
          certificate?: string | undefined;
          /** Address of the identity provider where a sign-in is sent to. An absolute URL, at most 2048 characters. */
          ssoURL?: string | undefined;
          /** Id of the team that people who sign in for the first time join. The API can change it, but not remove it. */
          defaultTeam?: string | undefined;
          /** Role of people who sign in for the first time; `guest` and null make them guests. */
          defaultRole?: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | null | undefined;
          /**
           * Allow the creation of a duplicate: although an object that looks the same was created within the last hour and
           * is not managed by this stack, or is recorded in this stack under a name that the program no longer declares.
           */
          allowTwin?: boolean | undefined;
          /**
           * File with the certificate, relative to the file that names it and below the folder of the organization's file;
           * in place of `certificate`. 1 to 500 characters.
           */
          certificateFile?: string | undefined;
          /** Whether the engine refuses to delete it (the default for sites); false allows the deletion. */
          protect?: boolean | undefined;
        }
      >
    | undefined;

  /** Docs sites by name. */
  sites?:
    | Record<
        string,
        {
          /** Title of the site, 2 to 128 characters. */
          title?: string | undefined;
          /** Plan of the site; the service decides where it is left out. Only set at creation. */
          type?: "basic" | "premium" | "ultimate" | "sponsored" | "legacy-basic" | "legacy-premium" | undefined;
          /**
           * Who can open the site once it is published: `public` (anyone, indexed by search engines), `unlisted` (anyone,
           * not indexed), `share-link` (anyone with a secret link), `visitor-auth` (visitors authenticated with a JWT).
           */
          visibility?: "public" | "unlisted" | "share-link" | "visitor-auth" | undefined;
          /** Ids of the spaces that the site starts with. Only set at creation. */
          spaces?: string[] | undefined;
          /** Name of the site in its default URL, 1 to 100 characters. */
          basename?: string | undefined;
          /**
           * Host and path that the site is served under, such as "www.acme.test/docs"; null removes it. At most 512
           * characters.
           */
          proxy?: string | null | undefined;
          /** Whether agents can access the site: `excluded` or `included`. Newer versions of the service lack it. */
          agentsContext?: "excluded" | "included" | undefined;
          /** Adaptive content, which shows visitors what their claims entitle them to. */
          adaptiveContent?:
            | {
                /** Whether content adapts to the visitor's claims. */
                enabled: boolean;
              }
            | undefined;
          /** Id of the site space that opens at the root; on a site with sections, the default of the default section. */
          defaultSiteSpace?: string | undefined;
          /**
           * Id of the space that opens at the root. Use it instead of `defaultSiteSpace` if the id of the site space is not
           * known yet. The site must be published.
           */
          defaultSpace?: string | undefined;
          /** Id of the site section that opens at the root. */
          defaultSiteSection?: string | undefined;
          /** Whether the site is published, so that the people of `visibility` can open it. */
          published?: boolean | undefined;
          /** Allow replacement and accept the losses listed in the error. */
          allowReplace?: boolean | undefined;
          /**
           * Allow the creation of a duplicate: although an object that looks the same was created within the last hour and
           * is not managed by this stack, or is recorded in this stack under a name that the program no longer declares.
           */
          allowTwin?: boolean | undefined;
          /** What the site knows about its visitors: `claims` and `unsignedClaims`, or the whole `jsonSchema`. */
          adaptiveSchema?:
            | {
                /** The whole JSON Schema (draft-07), as in the API. Use either this, or `claims` and `unsignedClaims`. */
                jsonSchema?: AdaptiveJsonSchema | undefined;
                /** Claims of a visitor by name, each with its type and description; the schema around them is added. */
                claims?: Record<string, Claim> | undefined;
                /** Unsigned claims by name. If omitted, the live ones stay. */
                unsignedClaims?: Record<string, Claim> | undefined;
                /** Allow a claim to be removed, or to get another type, although a condition of the site uses it. */
                allowBreaking?: boolean | undefined;
                /**
                 * What a deletion does, because the API cannot delete a schema: `empty` it (no claims; the default), or `leave`
                 * it.
                 */
                onDestroy?: "empty" | "leave" | undefined;
              }
            | undefined;
          /**
           * Sections, groups and site spaces in the wanted order, nested as they are in the site. Each is an id, or
           * `{ id, order }` with the order of the items inside. Unlisted items keep their order at the end of their level.
           */
          order?: OrderNode[] | undefined;
          /** Whether the engine refuses to delete it (the default for sites); false allows the deletion. */
          protect?: boolean | undefined;
          /** Allows that the site becomes public although it was not. */
          allowPublic?: boolean | undefined;
        }
      >
    | undefined;

  /** Translations of spaces by name. */
  translations?:
    | Record<
        string,
        {
          /** What is translated: a space and the language that it is written in. Only set at creation. */
          source: {
            /** Id of the space to translate. */
            space: string;
            /** Code of the language that it is written in, such as `en`. 1 to 16 characters. */
            language: string;
          };
          /** Code of the language to translate into, such as `fr`. Only set at creation. 1 to 16 characters. */
          language: string;
          /** Instructions for the translation: plain text with one paragraph per line, or rich text as in the API. */
          instructions?: string | RichText | undefined;
          /** Any value. When it changes, the translation runs again. */
          rerun?: unknown;
          /**
           * Allow the creation of a duplicate: although an object that looks the same was created within the last hour and
           * is not managed by this stack, or is recorded in this stack under a name that the program no longer declares.
           */
          allowTwin?: boolean | undefined;
        }
      >
    | undefined;
}
