import type { Review } from "../../provider/review/model/review";
import { type PreviewStep, print, reviewOfText, urnOfStep } from "./support";

/** What the engine prints for a value that is known only during the up. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const ines = {
  type: "MemberRole",
  recorded: { role: "comment", user: "Ines@acme.test" },
  outputs: { previousRole: "read", userId: "user_ines" },
};

/** The resources in the state of the stack. */
const recorded: Record<string, PreviewStep> = {
  ines,
  hugo: {
    type: "MemberRole",
    recorded: { onRelease: "leave", role: "admin", user: "user_hugo" },
    outputs: { previousRole: "comment", userId: "user_hugo" },
  },
  eli: {
    type: "MemberRole",
    recorded: { role: "admin", user: "eli@acme.test" },
    outputs: { previousRole: "review", userId: "user_eli" },
  },
  staff: {
    type: "MemberRoles",
    recorded: { roles: { "femi@acme.test": "edit", "gita@acme.test": "review", user_jun: "read" } },
    outputs: {
      previousRoles: { user_gita: "edit" },
      userIds: { "femi@acme.test": "user_femi", "gita@acme.test": "user_gita" },
    },
  },
  writers: {
    type: "TeamMembers",
    recorded: {
      members: { "cem@acme.test": "owner", "dana@acme.test": "member", user_femi: "member" },
      teamId: "team_writers",
    },
    outputs: { found: [], pending: [], userIds: { "cem@acme.test": "user_cem", "dana@acme.test": "user_dana" } },
  },
  "hugo-support": {
    type: "TeamMembership",
    recorded: { role: "owner", teamId: "team_support", user: "user_hugo" },
    outputs: { pending: false, userId: "user_hugo" },
  },
  "ines-support": {
    type: "TeamMembership",
    recorded: { role: "member", teamId: "team_support", user: "ines@acme.test" },
    outputs: { pending: false, userId: "user_ines" },
  },
  handbook: {
    type: "Site",
    recorded: { published: true, title: "Handbook for all", visibility: "unlisted" },
    outputs: { siteId: "site_handbook" },
  },
  drafts: { type: "Site", recorded: { title: "Drafts" }, outputs: { siteId: "site_drafts" } },
  es: {
    type: "Translation",
    recorded: { instructions: "Keep names.", language: "es", source: { language: "en", space: "guides" } },
    outputs: { translationId: "translation_es" },
  },
  okta: {
    type: "SamlProvider",
    recorded: { defaultRole: "read", defaultTeam: "team_support", label: "Okta" },
    outputs: { samlProviderId: "saml_okta", status: "pending" },
  },
  claims: {
    type: "SiteAdaptiveSchema",
    recorded: {
      claims: { beta: { description: "Beta", type: "boolean" }, plan: { description: "Plan", type: "string" } },
      siteId: "site_handbook",
    },
  },
};

interface Changes {
  /** Changes of recorded resources, by name. Without `declared`, a resource is declared as it is recorded. */
  readonly changed: Record<string, Partial<PreviewStep>>;
  readonly created?: readonly Omit<PreviewStep, "op">[];
  readonly diagnostics?: readonly object[];
}

/** The preview of changes to the stack, after a refresh. */
function previewOfStack({ changed, created = [], diagnostics = [] }: Changes): string {
  const known = Object.entries(recorded).map(([name, step]): PreviewStep => {
    const change = changed[name];
    if (!change) return { name, ...step, op: "refresh" };
    const live = change.op === "create" ? {} : { live: step.recorded ?? {} };
    const declared = change.op === "delete" ? {} : { declared: step.recorded ?? {} };
    return { name, ...step, ...live, ...declared, ...change };
  });
  const steps = [stackItself, ...known, ...created.map((step) => ({ ...step, op: "create" }))];
  const changeSummary: Record<string, number> = {};
  for (const { op = "update" } of steps) {
    const counted = op === "refresh" ? "same" : op;
    changeSummary[counted] = (changeSummary[counted] ?? 0) + 1;
  }
  return print(steps, { diagnostics, changeSummary });
}

const stackItself: PreviewStep = { op: "same", type: "pulumi:pulumi:Stack", name: "docs-prod" };
export const organizationStep = { type: "docs:index:Organization", name: "acme" };
export const organizationUrn = urnOfStep(organizationStep);
const deleted = { op: "delete" };

/** A step of the component that tells reviews about live people. */
export const notesOf = (live: readonly object[]): PreviewStep => ({
  op: "create",
  type: "docs:index:OrganizationNotes",
  name: "acme-notes",
  parents: `${organizationStep.type}$`,
  declared: { review: { organization: "acme", live } },
});

const change = previewOfStack({
  changed: {
    ines: deleted,
    hugo: deleted,
    eli: deleted,
    staff: deleted,
    writers: deleted,
    "hugo-support": deleted,
    "ines-support": { declared: { role: "owner", teamId: "team_support", user: "user_ines" } },
    handbook: { declared: { published: true, title: "Handbook for all", visibility: "public" } },
    drafts: deleted,
    es: {
      op: "replace",
      declared: { instructions: "Keep names.", language: "it", source: { language: "en", space: "guides" } },
    },
    okta: {
      declared: {
        defaultRole: "admin",
        defaultTeam: "team_writers",
        label: "Okta",
        ssoURL: "https://idp.elsewhere.test/sso",
      },
    },
    claims: { op: "replace", declared: { claims: { beta: { description: "Beta", type: "string" } }, siteId: unknown } },
  },
  created: [
    { type: "MemberRole", name: "hidden", declared: { role: "admin", user: "[secret]" } },
    { type: "MemberRole", name: "later", declared: { role: "create", user: unknown } },
    {
      ...organizationStep,
      declared: {
        review: {
          organization: "acme",
          grants: [{ user: "femi@acme.test", expires: "2027-01-31", reason: "on-call", then: "read" }],
          teams: [{ id: "team_writers", title: "Writers" }],
        },
        siteId: unknown,
      },
    },
    {
      type: "MemberRoles",
      name: "acme-roles",
      parents: `${organizationStep.type}$`,
      declared: {
        roles: {
          "bea@acme.test": "edit",
          "femi@acme.test": "admin",
          "gita@acme.test": "review",
          "ines@acme.test": "comment",
          user_jun: "read",
        },
      },
    },
    {
      type: "TeamMembers",
      name: "acme-writers",
      parents: `${organizationStep.type}$`,
      declared: {
        allowNoOwner: true,
        members: { "cem@acme.test": "member", "dana@acme.test": "member", "kofi@acme.test": "member" },
        teamId: "team_writers",
      },
    },
  ],
  diagnostics: [
    { urn: organizationUrn, severity: "warning", message: "warning: the role of femi@acme.test ends in 9 days\n" },
  ],
});

const drift = previewOfStack({
  changed: {
    staff: { live: { roles: { "femi@acme.test": "edit", "gita@acme.test": "create" } } },
    ines: { live: { role: "admin", user: "Ines@acme.test" } },
    drafts: { op: "create" },
    writers: {
      live: {
        members: { "cem@acme.test": "owner", "kofi@acme.test": "owner", user_femi: "member" },
        teamId: "team_writers",
      },
      outputs: {
        found: ["user_kofi"],
        pending: [],
        userIds: { "cem@acme.test": "user_cem", "dana@acme.test": "user_dana", "kofi@acme.test": "user_kofi" },
      },
    },
    handbook: { live: { published: true, title: "Handbook for all", visibility: "public" } },
    claims: { op: "replace", declared: { ...recorded.claims?.recorded, siteId: unknown } },
  },
});

const moved = previewOfStack({
  changed: { hugo: { declared: { onRelease: "remove", role: "admin", user: "user_hugo" } }, eli: deleted },
  created: [{ type: "MemberRole", name: "eli2", declared: { role: "admin", user: "user_eli" } }],
});

const people = Object.entries(recorded).filter(([, { type }]) => type === "MemberRole");
/** A guard stops the engine at the organization. */
const guarded = print(
  [
    ...people.map(([name, step]) => ({ name, ...step, op: "refresh" })),
    { op: "create", ...organizationStep, declared: {} },
  ],
  {
    diagnostics: [
      {
        urn: organizationUrn,
        severity: "error",
        message: "error: guards: 1 administrator would be left, minAdmins is 2:\n  hugo@acme.test loses the role\n",
      },
      { severity: "error", message: "error: guards: 1 administrator would be left\n" },
    ],
  },
);

export const previews = {
  change,
  drift,
  moved,
  guarded,
  target: print([{ name: "ines", ...ines, live: ines.recorded, declared: { user: "user_ines", role: "read" } }], {
    changeSummary: { same: 12, update: 1 },
  }),
  unrefreshed: print([stackItself], { changeSummary: { same: 13 } }),
};

export const reviewOfPreview = (name: keyof typeof previews): Review => reviewOfText(previews[name]);
