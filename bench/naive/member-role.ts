import * as pulumi from "@pulumi/pulumi";
import { request } from "./request";

interface MemberWithRole {
  user: string;
  role: string;
}

class MemberRoleProvider implements pulumi.dynamic.ResourceProvider<MemberWithRole, MemberWithRole> {
  async create({ user, role }: MemberWithRole) {
    await request("PATCH", `/members/${user}`, { role: role === "guest" ? null : role });
    return { id: user, outs: { user, role } };
  }

  async read(id: string) {
    const member = await request<{ role: string | null }>("GET", `/members/${id}`);
    return { id, props: { user: id, role: member.role ?? "guest" } };
  }

  async diff(_id: string, olds: MemberWithRole, news: MemberWithRole) {
    return { changes: olds.role !== news.role, replaces: olds.user !== news.user ? ["user"] : [] };
  }
}

export class MemberRole extends pulumi.dynamic.Resource {
  constructor(name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {
    super(new MemberRoleProvider(), name, args, options);
  }
}
