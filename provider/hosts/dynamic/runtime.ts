import type { dynamic } from "@pulumi/pulumi";
import { DocsError } from "../../api/http/errors";
import type { AnyDefinition } from "../../lifecycle/definition";
import { ResourceHandler } from "../../lifecycle/handler";
import { quietenHost } from "../../run/presentation";
import { Run } from "../../run/run";
import { endWithEngine } from "../engine-watch";

quietenHost();
// The engine starts the host with its own address as an argument.
endWithEngine(process.argv[2]);

/** The engine starts one or more processes for each command; each process is one run. */
const run = new Run();
const handlers = new Map<string, dynamic.ResourceProvider>();

/** The handlers of a resource, for the text that the engine has stored (see stub.ts). */
export function handler(resource: string): dynamic.ResourceProvider {
  // Loaded with the first call, after the host has started.
  const definitions = require("../../definitions") as typeof import("../../definitions");
  const definition = new Map<string, AnyDefinition>(Object.entries(definitions)).get(resource);
  if (!definition)
    throw new DocsError(
      `this version of pulumi-docs-org has no resource "${resource}"; install the release that last changed the stack, or a newer one`,
    );
  const ofResource = handlers.get(resource) ?? new ResourceHandler(definition, { run });
  handlers.set(resource, ofResource);
  return ofResource;
}
