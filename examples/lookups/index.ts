import * as pulumi from "@pulumi/pulumi";
import * as docs from "pulumi-docs-org";

/** Declares from what is there already, and tells what it found: reads are live, at each preview and each up. */

/** The leader of the writers helps the support team with its pages. */
const writers = docs.getTeamMembersOutput({ title: "Writers" });
const lead = writers.apply((members) => {
  const owner = members.find(({ team }) => team.role === "owner");
  if (!owner) throw new pulumi.RunError("the team Writers has no owner");
  return owner.organization.user;
});
const helper = new docs.TeamMembership("helper", { teamId: "team_support", user: lead.id, role: "member" });

/** The promise form is for what the program itself decides on. */
async function siteAddresses(): Promise<Record<string, string | undefined>> {
  const published = await docs.getSites({ published: true });
  return Object.fromEntries(published.map(({ title, urls }) => [title, urls?.published]));
}

export const addresses = siteAddresses();

/** What the helper belongs to afterwards: an up reads it anew once the membership is there. */
export const teamsOfHelper = docs
  .getMemberTeamsOutput({ user: lead.id }, { dependsOn: helper })
  .apply((teams) => teams.map(({ team }) => team.title));

export const administrators = docs
  .getMembersOutput({ role: "admin" })
  .apply((members) => members.map(({ user }) => user.displayName));

export const unfinishedTranslations = docs
  .getTranslationsOutput()
  .apply((translations) => translations.filter(({ result }) => !result).map(({ language }) => language));
