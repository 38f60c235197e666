// The provider plugin: what the engine starts (`plugin/pulumi-resource-docs`), bundled by scripts/plugin.mjs.
import { serve } from "./hosts/plugin/main";

/** The version of the package; the bundler writes it here. */
declare const PACKAGE_VERSION: string;
/** The package schema, `plugin/schema.json`; the bundler writes it here. */
declare const PACKAGE_SCHEMA: string;

void serve(PACKAGE_VERSION, PACKAGE_SCHEMA);
