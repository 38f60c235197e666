"""The same program as examples/plugin-typescript. docs/languages.md has the commands that write and install its SDK."""

import pulumi
import pulumi_docs_org as docs

# Exists already. The first up takes it over; the option may go afterwards.
docs.Site(
    "handbook",
    title="Handbook",
    visibility=docs.SiteVisibility.UNLISTED,
    basename="handbook",
    published=False,
    opts=pulumi.ResourceOptions(import_="site_handbook"),
)

guide = docs.Site("guide", title="Guide", spaces=["guides"], published=True)

# Another program manages it.
product = docs.Site.get("product", "site_product")

pulumi.export("addresses", {"guide": guide.urls.published, "product": product.urls.published})

administrators = docs.get_members_output(role="admin").items
pulumi.export(
    "administrators",
    administrators.apply(lambda members: [member.user.display_name for member in members]),
)
