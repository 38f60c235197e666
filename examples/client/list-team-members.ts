// Lists the members of every team, with nothing of Pulumi: npx ts-node examples/client/list-team-members.ts
import { createClient, DocsError } from "pulumi-docs-org/client";

const { DOCS_BASE_URL: baseUrl = "", DOCS_TOKEN: token = "", DOCS_ORGANIZATION_ID: organizationId = "" } = process.env;

async function main(): Promise<void> {
  const client = createClient({ baseUrl, token });
  // The API has no list of teams: they are found through their members. A team without members cannot be found.
  const teams = new Map<string, string>();
  for await (const { user, teams: count } of client.listMembers({ organizationId, query: { limit: 1000 } })) {
    if (count === 0) continue;
    for await (const { team } of client.listMemberTeams({ organizationId, userId: user.id }))
      teams.set(team.id, team.title);
  }
  for (const [teamId, title] of teams) {
    console.log(`${title} (${teamId})`);
    for await (const { organization, team } of client.listTeamMembers({
      organizationId,
      teamId,
      query: { limit: 1000 },
    })) {
      console.log(`  ${organization.user.displayName}, ${team.role}`);
    }
  }
  await client.close();
}

main().catch((error: Error) => {
  // What a user can mend is a sentence; anything else keeps its stack.
  console.error(error instanceof DocsError ? error.message : error);
  process.exitCode = 1;
});
