// npm run schema: writes organization.schema.json, with which editors check an organization.yaml.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { organizationJsonSchema } from "./json-schema";
import { root } from "./stack";

const file = path.join(root, "organization.schema.json");

writeFileSync(file, `${JSON.stringify(organizationJsonSchema(), null, 2)}\n`);
execFileSync(path.join(root, "node_modules/.bin/biome"), ["format", "--write", file], { cwd: root, stdio: "inherit" });
