import type { Seed } from "../../provider/emulator";
import type { SeedPeople } from "../../provider/emulator/members/seed";
import type { Emulated } from "./support";

export const org = "/v1/orgs/acme";
export const members = `${org}/members`;
export const teamMembers = (team: string) => `${org}/teams/${team}/members`;

/** One organization with two spaces and the given people. */
export function peopleSeed(people: SeedPeople): Seed {
  const spaces = [
    {
      id: "guides",
      title: "Guides",
      pages: [{ title: "Welcome", markdown: "Start here now." }, { title: "Two words" }],
    },
    { id: "reference", title: "API reference" },
  ];
  return { organizations: { acme: { spaces, ...people } } };
}

/** Four members: two administrators, a reader and a guest; one team. */
export const few: SeedPeople = {
  members: [
    { userId: "ada", displayName: "Ada Abbott", email: "ada@acme.test", role: "admin" },
    {
      userId: "bea",
      displayName: "Bea Berg",
      email: "Bea@Acme.test",
      role: "admin",
      lastSeenAt: "2026-11-01T00:00:00Z",
    },
    { userId: "cem", displayName: "Cem Costa", email: "cem@other.test", lastSeenAt: "2026-11-02T00:00:00+02:00" },
    { userId: "dan", displayName: "Dan Diallo", role: null, spaces: { reference: "comment" } },
  ],
  teams: [{ id: "writers", title: "Writers", members: { ada: "owner", cem: "member" } }],
};

/** User ids and roles of a team, in the order of the list. */
export async function teamOf({ call }: Pick<Emulated, "call">, team: string): Promise<Record<string, string>> {
  const { items } = (await call("GET", `${teamMembers(team)}?limit=1000`)).body;
  return Object.fromEntries(
    items.map((item: { organization: { id: string }; team: { role: string } }) => [
      item.organization.id,
      item.team.role,
    ]),
  );
}
