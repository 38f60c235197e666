// The provider plugin: what the engine starts (`plugin/pulumi-resource-docs`), bundled by scripts/plugin.mjs.
import type { EngineComponent } from "./hosts/plugin/construct";
import { serve } from "./hosts/plugin/main";
import { organizationType } from "./run/urn";

/** The version of the package; the bundler writes it here. */
declare const PACKAGE_VERSION: string;
/** The package schema, `plugin/schema.json`; the bundler writes it here. */
declare const PACKAGE_SCHEMA: string;

const components = {
  [organizationType]: async (component: EngineComponent) => {
    const { constructOrganization } = await import("./organization/construct.js");
    return constructOrganization(component);
  },
};

void serve({ version: PACKAGE_VERSION, schema: PACKAGE_SCHEMA, components });
