// The provider plugin: what the engine starts (`plugin/pulumi-resource-docs`), bundled by scripts/bundle.mjs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineComponent } from "./hosts/plugin/engine-component";
import { serve } from "./hosts/plugin/main";

/** The version of the package; the bundler writes it here. */
declare const PACKAGE_VERSION: string;

async function constructOrganization(component: EngineComponent) {
  const { constructOrganization: construct } = await import("./organization/construct-in-plugin.js");
  return construct(component);
}

const schema = readFileSync(join(__dirname, "schema.json"), "utf8");

void serve({ version: PACKAGE_VERSION, schema, constructOrganization });
