import type { SeedPeople } from "../members/seed";

/** People of the built-in organization: every role, a guest, a disabled member, single sign-on, three teams. */
export const defaultPeople: SeedPeople = {
  members: [
    person(1, "user_ada", "Ada Abbott", "admin", { lastSeenAt: "2026-11-20T08:00:00Z" }),
    person(2, "user_bea", "Bea Berg", "admin", { sso: true, lastSeenAt: "2026-11-19T09:30:00Z" }),
    person(3, "user_cem", "Cem Costa", "create", { lastSeenAt: "2026-11-18T10:00:00Z" }),
    person(4, "user_dana", "Dana Diallo", "create"),
    person(5, "user_eli", "Eli Endo", "review", { lastSeenAt: "2026-10-01T10:00:00Z" }),
    person(6, "user_femi", "Femi Fischer", "edit", { lastSeenAt: "2026-11-20T07:45:00Z" }),
    person(7, "user_gita", "Gita Garcia", "edit", { spaces: { reference: "comment" } }),
    person(8, "user_hugo", "Hugo Haddad", "comment", { lastSeenAt: "2026-09-15T12:00:00Z" }),
    person(9, "user_ines", "Ines Ito", "read"),
    person(10, "user_jun", "Jun Jansen", "read", { lastSeenAt: "2026-11-02T16:20:00Z" }),
    person(11, "user_kofi", "Kofi Kaya", "read", { disabled: true }),
    person(12, "user_lena", "Lena Lang", null, { spaces: { guides: "comment" }, lastSeenAt: "2026-11-10T11:00:00Z" }),
  ],
  teams: [
    { id: "team_writers", title: "Writers", members: { user_cem: "owner", user_dana: "member", user_femi: "member" } },
    {
      id: "team_engineers",
      title: "Engineers",
      members: { user_bea: "owner", user_eli: "member", user_gita: "member", user_femi: "member" },
    },
    { id: "team_support", title: "Support", members: { user_hugo: "owner", user_ines: "member", user_lena: "member" } },
  ],
  saml: [
    {
      id: "saml_acme",
      label: "Acme sign-in",
      entityID: "https://idp.acme.test/metadata",
      ssoURL: "https://idp.acme.test/sso",
      certificate: "-----BEGIN CERTIFICATE-----\nMIIBexample\n-----END CERTIFICATE-----\n",
      defaultTeam: "team_support",
      defaultRole: "read",
    },
    // Without a certificate, the provider is pending.
    { id: "saml_partners", label: "Partners", entityID: "urn:partners", ssoURL: "https://idp.partners.test/sso" },
  ],
  translations: [
    {
      id: "translation_fr",
      source: { space: "guides" },
      language: "fr",
      instructions: "Address the reader formally.",
    },
    { id: "translation_de", source: { space: "guides" }, language: "de", status: "running" },
    { id: "translation_ja", source: { space: "reference" }, language: "ja", status: "pending" },
  ],
};

type Person = NonNullable<SeedPeople["members"]>[number];

/** A person who joined on this day of January 2026. */
function person(
  day: number,
  userId: string,
  displayName: string,
  role: Person["role"],
  more?: Partial<Person>,
): Person {
  const joinedAt = new Date(Date.UTC(2026, 0, day, 9)).toISOString();
  const email = `${userId.replace("user_", "")}@acme.test`;
  return { userId, displayName, role, email, joinedAt, ...more };
}
