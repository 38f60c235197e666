import * as docs from "pulumi-docs-org";

/** What is tested: a site, who owns the team of writers, and an organization. */
export function guides() {
  const team = docs.getTeamMembersOutput({ teamId: "team_writers" });
  const site = new docs.Site("guides", { title: "Guides", visibility: "unlisted", published: true });
  const owners = team.apply((people) =>
    people.filter(({ team }) => team.role === "owner").map(({ organization }) => organization.user.id),
  );
  const acme = new docs.Organization("acme", {
    organization: "acme",
    teams: { team_writers: { members: { user_cem: "owner" }, ignore: ["*@acme.test"] } },
    sites: { handbook: { title: "Team handbook", visibility: "unlisted", published: true } },
  });
  return { site, owners, acme };
}

/** What the guards refuse: it takes the role of an administrator from everybody who has it. */
export function withoutAdministrators() {
  const acme = new docs.Organization("acme", {
    organization: "acme",
    members: { user_ada: "read", user_bea: "read" },
  });
  return { acme, addresses: acme.publishedUrls.apply((urls) => Object.values(urls)) };
}
