import { status } from "@grpc/grpc-js";
import type { Manager } from "../../access/management";
import * as definitions from "../../definitions";
import type { AnyDefinition } from "../../lifecycle/definition";
import { organizationType, parseUrn, typeIn } from "../../run/urn";
import { CallError, unknownName } from "./call-error";

const byType: ReadonlyMap<string, AnyDefinition> = new Map(
  Object.values<AnyDefinition>(definitions).map((one) => [typeIn("plugin", one.name), one]),
);

/** A resource as the engine names it in a call. */
export interface CalledResource {
  readonly urn: string;
  readonly definition: AnyDefinition;
  readonly manager: Manager;
  /** The properties that contain a secret in this call. */
  readonly secrets: ReadonlySet<string>;
  /** Removes the texts of secrets from a message. */
  hide(message: string): string;
}

/** Finds the definition of the resource that a call is about. */
export function calledResource(
  urn: string,
  { secrets, hide }: Pick<CalledResource, "secrets" | "hide">,
): CalledResource {
  const parsed = parseUrn(urn);
  if (!parsed) throw new CallError(status.INVALID_ARGUMENT, `${JSON.stringify(urn)} is not the URN of a resource`);
  const definition = byType.get(parsed.type);
  if (parsed.type === organizationType) throw componentImport();
  if (!definition) throw unknownName("resource type", parsed.type, [...byType.keys()]);
  return {
    urn,
    definition,
    manager: { place: urn, name: `${definition.name} "${parsed.name}"` },
    secrets,
    hide,
  };
}

/** The engine constructs a component, and calls a provider about it as about a resource only in an import. */
const componentImport = (): CallError =>
  new CallError(
    status.INVALID_ARGUMENT,
    `${organizationType} cannot be imported: it is a component, which has no object of its own at the service. Import the resources ` +
      "below it: docs-org export --host plugin writes the program and the file for pulumi import --file",
  );
