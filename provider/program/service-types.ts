// Made by `npm run reference` from the schemas of the API.

/** The properties of both sides of an intersection. */
type Flat<T> = { [Name in keyof T]: T[Name] };

export type AdaptiveJsonSchema = {
  type: "object";
  properties: Flat<
    {
      unsigned?:
        | {
            type: "object";
            description: "Unsigned claims of the site visitor.";
            properties: Record<string, Claim>;
            additionalProperties: false;
          }
        | undefined;
    } & { [x: string]: Claim }
  >;
  additionalProperties: false;
  $schema?: "http://json-schema.org/draft-07/schema#" | undefined;
};

export type Block = {
  object: "block";
  type: string;
  nodes?:
    | (
        | Block
        | { [x: string]: unknown; object: "fragment" | "inline" }
        | {
            [x: string]: unknown;
            object: "text";
            leaves: { [x: string]: unknown; object: "leaf"; text: string; marks: { [x: string]: unknown }[] }[];
          }
      )[]
    | undefined;
  [name: string]: unknown;
};

export type ChangeRequest = {
  object: "change-request";
  id: string;
  number: number;
  status: ChangeRequestStatus | (string & {});
  subject: string;
  createdAt: string;
  updatedAt: string;
  space: string;
  revision: string;
  revisionInitial: string;
  comments: number;
  outdated: boolean;
  description?: RichText | undefined;
  createdBy?: User | undefined;
  revisionMergedAncestor?: string | undefined;
  revisionMerged?: string | undefined;
  conversationsIssuesCluster?: string | undefined;
  urls?: { app?: string | undefined; location?: string | undefined } | undefined;
  mergedBy?: User | undefined;
  mergedAt?: string | undefined;
  links?: { [x: string]: unknown; id: string }[] | undefined;
  siteTopic?: { [x: string]: unknown } | undefined;
  styleguide?: { [x: string]: unknown } | undefined;
  imports?: { [x: string]: unknown }[] | undefined;
};

export type ChangeRequestStatus = "archived" | "draft" | "merged" | "open";

export type ChangedFile = { id: string; name: string; contentType: string; downloadURL?: string | undefined };

export type ChangedPage = {
  id: string;
  type: "computed" | "document" | "group" | "link" | (string & {});
  title: string;
  path?: string | undefined;
};

export type Claim = {
  type: "array" | "boolean" | "number" | "object" | "string";
  description: string;
  enum?: string[] | undefined;
  items?: Claim | undefined;
  properties?: Record<string, Claim> | undefined;
  additionalProperties?: false | undefined;
};

export type Customization = { [x: string]: unknown; title?: string | undefined };

export type Language =
  | "ar"
  | "bg"
  | "cs"
  | "da"
  | "de"
  | "el"
  | "en"
  | "es"
  | "et"
  | "fi"
  | "fr"
  | "he"
  | "hi"
  | "hr"
  | "hu"
  | "id"
  | "it"
  | "ja"
  | "ko"
  | "lt"
  | "lv"
  | "ms"
  | "nl"
  | "no"
  | "pl"
  | "pt"
  | "pt-br"
  | "ro"
  | "ru"
  | "sk"
  | "sl"
  | "sv"
  | "th"
  | "tr"
  | "uk"
  | "vi"
  | "yue"
  | "zh"
  | "zh-tw"
  | (string & {});

export type LiveSamlProvider = {
  object: "saml-provider";
  id: string;
  label: string;
  ssoURL: string;
  entityID: string;
  certificate: string;
  defaultRole: Role | (string & {}) | null;
  createdAt: string;
  status: "active" | "pending" | (string & {});
  service: { acsURL: string; startURL: string; entityID: string };
  urls: { location: string };
  defaultTeam?: Team | undefined;
};

export type LiveSite = {
  object: "site";
  id: string;
  type: SiteType | (string & {});
  title: string;
  visibility: "public" | "share-link" | "unlisted" | "visitor-auth" | (string & {});
  published: boolean;
  siteSpaces: number;
  createdAt: string;
  icon?: Record<string, never> | { emoji: string } | { icon: { light: string; dark: string } } | null | undefined;
  hostname?: string | undefined;
  basename?: string | undefined;
  proxy?: { origin: string; target: string } | undefined;
  adaptiveContent?: { enabled: boolean } | undefined;
  ads?: { [x: string]: unknown; status: string } | undefined;
  agentsContext?: "excluded" | "included" | (string & {}) | undefined;
  features?:
    | { id: string; plan: SiteType | (string & {}); frozen: boolean; customizations?: string[] | undefined }[]
    | undefined;
  urls?:
    | {
        location?: string | undefined;
        app?: string | undefined;
        published?: string | undefined;
        preview?: string | undefined;
      }
    | undefined;
  appliedType?: SiteType | (string & {}) | undefined;
  defaultLevel?: "admin" | "comment" | "create" | "edit" | "inherit" | "read" | "review" | null | undefined;
  permissions?: Record<string, boolean> | undefined;
};

export type LiveTranslation = {
  object: "translation";
  id: string;
  status: "completed" | "pending" | "running" | (string & {});
  source: { space: string; language: Language };
  language: Language;
  createdAt: string;
  updatedAt: string;
  stats: {
    runs: number;
    totalWords: number;
    totalPages: number;
    totalDuration: number;
    latestRunDuration: number;
    latestPages: number;
    latestWords: number;
  };
  permissions: { edit: boolean; view: boolean };
  urls: { location: string };
  instructions?: RichText | undefined;
  result?: { space: string; revision: string; language?: Language | undefined } | undefined;
};

export type Member = {
  object: "member";
  id: string;
  role: Role | (string & {}) | null;
  user: User;
  disabled: boolean;
  joinedAt: string;
  sso: boolean;
  spaces: number;
  teams: number;
  lastSeenAt?: string | undefined;
  sites?: number | undefined;
};

export type MemberSpace = { permission: Role | (string & {}); space: Space };

export type MemberTeam = { team: Team; member: { role: "member" | "owner" | (string & {}) } };

export type OrderNode = string | { id: string; order: OrderNode[] };

export type PublishedSite = {
  object: "published-content-site";
  site: LiveSite;
  structure:
    | { type: "sections"; structure: (SiteSectionGroup | SiteSection)[] }
    | { type: "siteSpaces"; structure: SiteSpace[] };
  customizations: { site: Customization; siteSpaces: Record<string, Customization> };
  scripts: { script: string; cookies: boolean; contentSecurityPolicy?: string | undefined }[];
};

export type RichText = {
  object: "document";
  data: { [x: string]: unknown; schemaVersion?: number | undefined };
  nodes: Block[];
};

export type Role = "admin" | "comment" | "create" | "edit" | "read" | "review";

export type SemanticChange =
  | { type: "variables_edited"; attributes?: Record<string, { before?: unknown; after?: unknown }> | undefined }
  | { type: "file_created"; file: ChangedFile }
  | { type: "file_deleted"; file: ChangedFile }
  | {
      type: "file_edited";
      file: ChangedFile;
      attributes?: Record<string, { before?: unknown; after?: unknown }> | undefined;
    }
  | { type: "page_created"; page: ChangedPage }
  | { type: "page_deleted"; page: ChangedPage }
  | { type: "page_edited"; page: ChangedPage; attributes: Record<string, { before?: unknown; after?: unknown }> }
  | {
      type: "page_moved";
      page: ChangedPage;
      parent: { before?: ChangedPage | undefined; after?: ChangedPage | undefined };
    }
  | { type: "reusable_content_created"; reusableContent: { id: string; title: string } }
  | { type: "reusable_content_deleted"; reusableContent: { id: string; title: string } }
  | {
      type: "reusable_content_edited";
      reusableContent: { id: string; title: string };
      attributes?: Record<string, { before?: unknown; after?: unknown }> | undefined;
    };

export type SignInProvider = { id: string; label: string; startURL: string };

export type SiteSection = {
  object: "site-section";
  id: string;
  title: string;
  path: string;
  siteSpaces: SiteSpace[];
  urls: { published?: string | undefined };
  description?: string | undefined;
  default?: boolean | undefined;
  condition?: string | undefined;
  sectionGroup?: string | undefined;
  icon?: string | undefined;
  draft?: boolean | undefined;
};

export type SiteSectionGroup = {
  object: "site-section-group";
  id: string;
  title: string;
  icon?: string | undefined;
  sections: SiteSection[];
  children: (SiteSectionGroup | SiteSection)[];
  draft?: boolean | undefined;
};

export type SiteSpace = {
  object: "site-space";
  id: string;
  path: string;
  space: Space;
  title: string;
  urls: { published?: string | undefined };
  section?: string | undefined;
  default?: boolean | undefined;
  condition?: string | undefined;
  hasAdvancedCustomizationFeature?: boolean | undefined;
  draft?: boolean | undefined;
};

export type SiteType = "basic" | "legacy-basic" | "legacy-premium" | "premium" | "sponsored" | "ultimate";

export type Space = {
  object: "space";
  id: string;
  title: string;
  emoji: string;
  visibility: "in-collection" | "private" | "public" | "share-link" | "unlisted" | "visitor-auth" | (string & {});
  createdAt: string;
  updatedAt: string;
  mergeRules: { [x: string]: unknown };
  urls: {
    location: string;
    app: string;
    published?: string | undefined;
    public?: string | undefined;
    icon?: string | undefined;
  };
  organization: string;
  revision: string;
  defaultLevel: "admin" | "comment" | "create" | "edit" | "inherit" | "read" | "review" | (string & {}) | null;
  comments: number;
  changeRequests: number;
  changeRequestsOpen: number;
  changeRequestsDraft: number;
  permissions: {
    access: boolean;
    admin: boolean;
    comment: boolean;
    edit: boolean;
    installIntegration: boolean;
    merge: boolean;
    review: boolean;
    triggerGitSync: boolean;
    view: boolean;
    viewInviteLinks: boolean;
  };
  deletedAt?: string | undefined;
  editMode?: "live" | "locked" | (string & {}) | undefined;
  parent?: string | undefined;
  language?: string | undefined;
  gitSync?: { [x: string]: unknown } | undefined;
  visitorAuth?: { [x: string]: unknown } | undefined;
};

export type Team = {
  object: "team";
  id: string;
  title: string;
  members: number;
  spaces: number;
  createdAt: string;
  permissions: { admin: boolean; view: boolean };
};

export type TeamMember = {
  organization: Member;
  team: { role: "member" | "owner" | (string & {}) };
  permissions: { view: boolean };
};

export type TemplateCondition = { description: string; condition: string };

export type User = {
  object: "user";
  id: string;
  displayName: string;
  urls: { location: string };
  email?: string | undefined;
  photoURL?: string | undefined;
};
