import * as docs from "pulumi-docs-org";

new docs.Organization("acme", { file: "organization.yaml" });
