import * as docs from "pulumi-docs-org";

/** What belongs to the whole organization: its site, the roles of people, and the ids that the stacks of the teams read. */

const site = new docs.Site("handbook", { title: "Team handbook", visibility: "unlisted", published: true });

const cem = new docs.MemberRole("cem", { user: "cem@acme.test", role: "create", onRelease: "leave" });
const dana = new docs.MemberRole("dana", { user: "dana@acme.test", role: "create", onRelease: "leave" });
const femi = new docs.MemberRole("femi", { user: "femi@acme.test", role: "edit", onRelease: "leave" });
const hugo = new docs.MemberRole("hugo", { user: "hugo@acme.test", role: "comment", onRelease: "leave" });

export const handbook = site.urls.apply((urls) => urls.published);

/** The API cannot create teams: these are the ids that the app shows. */
export const teams = { writers: "team_writers", support: "team_support" };

export const users = { cem: cem.userId, dana: dana.userId, femi: femi.userId, hugo: hugo.userId };
