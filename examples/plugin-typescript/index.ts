import * as docs from "pulumi-docs-org/plugin";

/** The classes of the provider plugin: those of "pulumi-docs-org", with `import`, `get` and provider objects. */

/** Exists already. The first up takes it over; the option may go afterwards. */
new docs.Site(
  "handbook",
  { title: "Handbook", visibility: "unlisted", basename: "handbook", published: false },
  { import: "site_handbook" },
);

const guide = new docs.Site("guide", { title: "Guide", spaces: ["guides"], published: true });

/** Another program manages it. */
const product = docs.Site.get("product", "site_product");

export const addresses = { guide: guide.urls.published, product: product.urls.published };

export const administrators = docs
  .getMembersOutput({ role: "admin" })
  .apply((members) => members.map(({ user }) => user.displayName));
