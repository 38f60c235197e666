import * as pulumi from "@pulumi/pulumi";
import * as docs from "pulumi-docs-org";

/** Who is in one team. Its checkpoint holds nothing else, so it is quick however large the organization is. */

const rosters: Record<string, Record<string, "owner" | "member">> = {
  writers: { cem: "owner", dana: "member" },
  support: { hugo: "owner", femi: "member" },
};

const team = pulumi.getStack();
const roster = rosters[team];
if (!roster) throw new pulumi.RunError(`there is no team ${team}; name the stack ${Object.keys(rosters).join(" or ")}`);

/** The stack "production" of the other program. With state in the Pulumi Cloud, replace "organization" with the name of yours. */
const organization = new pulumi.StackReference("organization/docs-org-whole/production");

new docs.TeamMembers(team, {
  teamId: organization.requireOutput("teams").apply((teams) => teams[team]),
  members: organization
    .requireOutput("users")
    .apply((users) => Object.fromEntries(Object.entries(roster).map(([name, role]) => [users[name], role]))),
  // The roster replaces the people that the app shows in the team today.
  exclusive: true,
});

export const handbook = organization.requireOutput("handbook");
