import * as pulumi from "@pulumi/pulumi";
import { request } from "./request";

interface SiteSettings {
  title: string;
  visibility: string;
}

class SiteProvider implements pulumi.dynamic.ResourceProvider<SiteSettings, SiteSettings> {
  async create({ title, visibility }: SiteSettings) {
    const { id } = await request<{ id: string }>("POST", "/sites", { title, visibility });
    return { id, outs: { title, visibility } };
  }

  async read(id: string) {
    const { title, visibility } = await request<SiteSettings>("GET", `/sites/${id}`);
    return { id, props: { title, visibility } };
  }

  async diff(_id: string, olds: SiteSettings, news: SiteSettings) {
    return { changes: olds.title !== news.title || olds.visibility !== news.visibility };
  }

  async delete(id: string) {
    await request("DELETE", `/sites/${id}`);
  }
}

export class Site extends pulumi.dynamic.Resource {
  constructor(name: string, args: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {
    super(new SiteProvider(), name, args, options);
  }
}
