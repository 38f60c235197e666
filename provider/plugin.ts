// The provider plugin: what the engine starts (`plugin/pulumi-resource-docs`), bundled by scripts/plugin.mjs.
import { serve } from "./hosts/plugin/main";

/** The version of the package; the bundler writes it here. */
declare const PACKAGE_VERSION: string;

void serve(PACKAGE_VERSION);
