import * as pulumi from "@pulumi/pulumi";
import { request } from "./request";

interface Membership {
  teamId: string;
  user: string;
  role: string;
}

interface TeamPage {
  items: { organization: { user: { id: string } }; team: { role: string } }[];
}

class TeamMembershipProvider implements pulumi.dynamic.ResourceProvider<Membership, Membership> {
  async create({ teamId, user, role }: Membership) {
    await request("PUT", `/teams/${teamId}/members/${user}`, { role });
    return { id: `${teamId}/${user}`, outs: { teamId, user, role } };
  }

  async read(id: string) {
    const [teamId = "", user = ""] = id.split("/");
    // The service has no operation that reads a single member of a team.
    const { items } = await request<TeamPage>("GET", `/teams/${teamId}/members?limit=1000`);
    const item = items.find(({ organization }) => organization.user.id === user);
    return item ? { id, props: { teamId, user, role: item.team.role } } : { id: "" };
  }

  async diff(_id: string, olds: Membership, news: Membership) {
    return { changes: olds.role !== news.role, replaces: olds.user !== news.user ? ["user"] : [] };
  }

  async delete(_id: string, { teamId, user }: Membership) {
    await request("DELETE", `/teams/${teamId}/members/${user}`);
  }
}

export class TeamMembership extends pulumi.dynamic.Resource {
  constructor(name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {
    super(new TeamMembershipProvider(), name, args, options);
  }
}
