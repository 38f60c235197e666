import { status } from "@grpc/grpc-js";
import type { ResourceManager } from "../../access/management";
import * as definitions from "../../definitions";
import type { AnyDefinition } from "../../lifecycle/definition";
import { nameIn, organizationType, typeAt, typeIn } from "../../run/urn";
import { CallError, unknownName } from "./call-error";

const byType: ReadonlyMap<string, AnyDefinition> = new Map(
  Object.values<AnyDefinition>(definitions).map((one) => [typeIn("plugin", one.name), one]),
);

/** A resource as the engine names it in a call. */
export interface CalledResource {
  readonly urn: string;
  readonly definition: AnyDefinition;
  readonly manager: ResourceManager;
  /** The properties that contain a secret in this call. */
  readonly secrets: ReadonlySet<string>;
  /** Removes the texts of secrets from a message. */
  hide(message: string): string;
}

export function calledResource(
  urn: string,
  { secrets, hide }: Pick<CalledResource, "secrets" | "hide">,
): CalledResource {
  const type = typeAt(urn);
  if (!urn.startsWith("urn:pulumi:") || !type || !nameIn(urn))
    throw new CallError(status.INVALID_ARGUMENT, `${JSON.stringify(urn)} is not the URN of a resource`);
  const definition = byType.get(type);
  if (type === organizationType) throw componentImport();
  if (!definition) throw unknownName("resource type", type, [...byType.keys()]);
  return {
    urn,
    definition,
    manager: { position: urn, name: `${definition.name} "${nameIn(urn)}"` },
    secrets,
    hide,
  };
}

/** The engine constructs components. Only an import treats a component as a resource. */
const componentImport = (): CallError =>
  new CallError(
    status.INVALID_ARGUMENT,
    `${organizationType} cannot be imported: it is a component, which has no object of its own at the service. Import the resources ` +
      "below it: docs-org export --host plugin writes the program and the file for pulumi import --file",
  );
