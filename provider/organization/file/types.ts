// Made by `npm run reference` from the schema of the file.
import type { AdaptiveJsonSchema, Claim, OrderNode, RichText } from "../../program/service-types";

/** An organization: what its file may hold. */
export interface OrganizationFile {
  /**
   * Id of the organization. `${DOCS_ORGANIZATION_ID}` takes it from this environment variable, so that one file can
   * be for several organizations.
   */
  organization: string;

  /**
   * Backend that keeps the state of the commands, for every clone of the file. `docs-org state move` writes it. A
   * program ignores it. At most 500 characters.
   */
  backend?: string | undefined;

  /** Guards: limits that no change may violate, checked at preview and again at up. */
  guards?:
    | {
        /**
         * Minimum number of administrators who can sign in, counted as they will be after the change. Administrators whose
         * role another resource of the stack manages do not count, unless `members` declares them.
         */
        minAdmins?: number | undefined;
        /** People who must be administrators, named as in `members`. At most 100 items. */
        requiredAdmins?: string[] | undefined;
        /**
         * Set to `refuse` to refuse every change after which a member who is not in `members` would be an administrator.
         */
        undeclaredAdmins?: "refuse" | undefined;
        /**
         * Maximum number of people who may lose a role or a membership in one run, including lowered roles: a number, or a
         * share of all people with a role or membership, such as "25%" (rounded down, at least 1).
         */
        maxRemovals?: number | string | undefined;
        /**
         * Set to `refuse` to refuse every change while a declared person has left the organization. By default, a warning
         * names the line, which has no effect.
         */
        absent?: "refuse" | undefined;
        /**
         * Set to `refuse` to refuse e-mails that no member has. By default, they are pending until somebody joins with the
         * e-mail.
         */
        pending?: "refuse" | undefined;
        /**
         * Who must approve that somebody gets a role, or access in a team, and other approvers: by role or id of the team,
         * the logins of people at the service that has the pull requests; one of them is enough. Reviews and plans name
         * them, and the jobs of `docs-org init github` check them. No run does, but `up --plan` stops if the plan asks for
         * fewer.
         */
        approvers?: Record<string, string[]> | undefined;
      }
    | undefined;

  /**
   * What happens to a person who is removed from this file: `restore` the previous role, `leave` the role as it is,
   * make the person a `guest` (the default), or `remove` the person from the organization. A destroy restores
   * previous roles.
   */
  onRelease?: "restore" | "leave" | "guest" | "remove" | undefined;

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
   * Roles of people in the organization, by user id or e-mail: the role, or a grant. Only listed people are managed.
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
            /**
             * Role in the organization: `admin`, `create`, `review`, `edit`, `comment` or `read`; `guest` for a guest, who has
             * no role.
             */
            role: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest";
            /** Marks the person as a member by single sign-on. The API cannot remove the mark. */
            sso?: true | undefined;
            /**
             * Allows a destroy, and `restore` at the end of the grant, to restore a previous role that is more powerful than
             * the current role.
             */
            allowRaise?: true | undefined;
            /** Reason for the grant, shown in reviews; 1 to 500 characters. It is not sent to the service. */
            reason?: string | undefined;
            /**
             * First day of the grant, such as 2027-01-15, which begins with this day in UTC; or the time of the beginning.
             * Until then, the line has no effect: the person keeps the present access, and gets none.
             */
            from?: string | undefined;
            /** End of the role, and what follows. */
            expires?:
              | {
                  /**
                   * Last day of the grant, such as 2027-01-31, which ends with this day in UTC; or the time of the end, such as
                   * 2027-01-31T18:00+01:00.
                   */
                  on: string;
                  /**
                   * What follows after the end: a role, `guest`, `restore` (the previous role), or `remove` from the organization.
                   */
                  then: "admin" | "create" | "review" | "edit" | "comment" | "read" | "guest" | "restore" | "remove";
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
           * Title of the team, for readers. It is compared with the live title and shown in reviews, and never sent to the
           * service. 1 to 64 characters.
           */
          title?: string | undefined;
          /**
           * All members of the team, by user id or e-mail, with the role or a grant. If omitted, the members of the team are
           * not managed.
           */
          members?:
            | Record<
                string,
                | "owner"
                | "member"
                | {
                    /** Role in the team: `owner` (manages its members) or `member`. */
                    role: "owner" | "member";
                    /** Reason for the grant, shown in reviews; 1 to 500 characters. It is not sent to the service. */
                    reason?: string | undefined;
                    /**
                     * First day of the grant, such as 2027-01-15, which begins with this day in UTC; or the time of the beginning.
                     * Until then, the line has no effect: the person keeps the present access, and gets none.
                     */
                    from?: string | undefined;
                    /** End of the membership, and what follows. */
                    expires?:
                      | {
                          /**
                           * Last day of the grant, such as 2027-01-31, which ends with this day in UTC; or the time of the end, such as
                           * 2027-01-31T18:00+01:00.
                           */
                          on: string;
                          /** What follows after the end: a role in the team, or `remove` from it (the default). */
                          then?: "owner" | "member" | "remove" | undefined;
                        }
                      | undefined;
                  }
              >
            | undefined;
          /**
           * Single people in a team that is managed elsewhere, by user id or e-mail, with the role or a grant. Other members
           * of the team stay as they are. A team has either this or `members`.
           */
          memberships?:
            | Record<
                string,
                | "owner"
                | "member"
                | {
                    /** Role in the team: `owner` (manages its members) or `member`. */
                    role: "owner" | "member";
                    /** Reason for the grant, shown in reviews; 1 to 500 characters. It is not sent to the service. */
                    reason?: string | undefined;
                    /**
                     * First day of the grant, such as 2027-01-15, which begins with this day in UTC; or the time of the beginning.
                     * Until then, the line has no effect: the person keeps the present access, and gets none.
                     */
                    from?: string | undefined;
                    /** End of the membership, and what follows. */
                    expires?:
                      | {
                          /**
                           * Last day of the grant, such as 2027-01-31, which ends with this day in UTC; or the time of the end, such as
                           * 2027-01-31T18:00+01:00.
                           */
                          on: string;
                          /** What follows after the end: a role in the team, or `remove` from it (the default). */
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
          /**
           * Id of the live object. `docs-org take-over` writes it, and finds the object by it if the state of the stack is
           * lost.
           */
          id?: string | undefined;
          /**
           * File with the certificate, instead of `certificate`. The path is relative to the file that contains it, and must
           * stay in the folder of the organization's file. 1 to 500 characters.
           */
          certificateFile?: string | undefined;
          /**
           * Whether the engine refuses to delete the resource. By default, sites are protected, and other resources if the
           * component is.
           */
          protect?: boolean | undefined;
        }
      >
    | undefined;

  /** Docs sites by name. */
  sites?:
    | Record<
        string,
        {
          /**
           * Id of the live object. `docs-org take-over` writes it, and finds the object by it if the state of the stack is
           * lost.
           */
          id?: string | undefined;
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
          /** Claims that the site knows about its visitors: `claims` and `unsignedClaims`, or the whole `jsonSchema`. */
          adaptiveSchema?:
            | {
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
            | undefined;
          /**
           * Sections, groups and site spaces in the wanted order, nested as they are in the site. Each is an id, or
           * `{ id, order }` with the order of the items inside. Instead of the id of a site space, the id of its space can
           * be listed if the site has the space only once; it is known before the site exists. Unlisted items follow at the
           * end of their level, in their live order.
           */
          order?: OrderNode[] | undefined;
          /**
           * Whether the engine refuses to delete the resource. By default, sites are protected, and other resources if the
           * component is.
           */
          protect?: boolean | undefined;
          /** Allows the site to become public. */
          allowPublic?: boolean | undefined;
        }
      >
    | undefined;

  /** Translations of spaces by name. */
  translations?:
    | Record<
        string,
        {
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
          /**
           * Id of the live object. `docs-org take-over` writes it, and finds the object by it if the state of the stack is
           * lost.
           */
          id?: string | undefined;
        }
      >
    | undefined;
}
