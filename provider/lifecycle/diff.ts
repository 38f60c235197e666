import type { DiffResult } from "@pulumi/pulumi/dynamic";
import { DocsError } from "../api/http/errors";
import { isOfFormerOrigin, refuseOtherService } from "../run/origin";
import { containsUnknown, differingProperties, type Properties, pick, sameValue } from "../run/properties";
import type { Run } from "../run/run";
import { type AnyDefinition, metaOf } from "./definition";
import { declaredIn, incompleteKey, organizationOf, recordedValues } from "./state";

/** Decides what a changed declaration means: nothing, an update, a replacement, or a refusal. Sends no request. */
export function differenceOf(run: Run, definition: AnyDefinition, olds: Properties, news: Properties): DiffResult {
  refuseOtherService(run, olds);
  const recorded = declaredIn(definition, olds);
  const declared = declaredIn(definition, news);
  const changes =
    differingProperties(recorded, declared, definition.equal).length > 0 ||
    isOutdated(definition, olds, declared) ||
    isOfFormerOrigin(run, olds);
  const replaces = replacingProperties(definition, olds, declared);
  // Refuses settings that name another organization than the state.
  if (!replaces.includes("organizationId")) organizationOf(run.settings, declared, olds);
  if (replaces.length === 0) return { changes };
  if (definition.replaceLoses === undefined || declared.allowReplace === true) {
    // In two organizations, both objects can exist, and the old one must not be deleted before the new one is created.
    const moves = replaces.includes("organizationId");
    return { changes, replaces, deleteBeforeReplace: !moves && (definition.deleteBeforeReplace?.(declared) ?? false) };
  }
  if (containsUnknown(declared.allowReplace)) return { changes }; // The up decides: it knows the value.
  throw refusedReplace(definition, replaces, olds, declared);
}

/**
 * Whether an update only removes properties from the program or changes options, which sends nothing to the service. An update
 * without any difference completes a change that failed before, so it sends what is missing.
 */
export function nothingToSend(definition: AnyDefinition, olds: Properties, declared: Properties): boolean {
  if (isOutdated(definition, olds, declared)) return false;
  const changed = differingProperties(declaredIn(definition, olds), declared, definition.equal);
  if (changed.length === 0) return false;
  return changed.every((name) => {
    // A declaration of another organization replaces the resource, so this one declares the recorded organization.
    if (name === "organizationId") return true;
    return declared[name] === undefined || metaOf(definition, name)?.option;
  });
}

/** The recorded outputs that an update leaves as they are: none, if it completes a change that failed before. */
export function untouchedOutputs(definition: AnyDefinition, olds: Properties, declared: Properties): Properties {
  if (olds[incompleteKey]) return {};
  const changed = differingProperties(declaredIn(definition, olds), declared, definition.equal);
  const isUntouched = (name: string) => definition.changesWith?.[name]?.every((input) => !changed.includes(input));
  return pick(olds, Object.keys(definition.outputs.shape).filter(isUntouched));
}

function isOutdated(definition: AnyDefinition, olds: Properties, declared: Properties): boolean {
  return !containsUnknown(declared) && (definition.outdated?.(recordedValues(definition, olds), declared) ?? false);
}

/**
 * Changed properties that can only be set at creation. Drift does not count. A declaration that is changed to the live value,
 * for example to the new plan of a site that was upgraded in the app, replaces nothing.
 */
export function replacingProperties(definition: AnyDefinition, olds: Properties, declared: Properties): string[] {
  return Object.keys(declared).filter((name) => {
    const before = valueBeforeReplace(definition, name, olds);
    // A value that is not known yet may turn out to be the live one; the up decides when it is known.
    if (before === undefined || containsUnknown(declared[name])) return false;
    const live = olds[String(metaOf(definition, name)?.replacesUnlessLive)] ?? before;
    return [before, live].every((value) => !sameValue(definition.equal, name, value, declared[name]));
  });
}

/** The previous value of a property that can only be set at creation: the recorded declaration, or else the live value. */
function valueBeforeReplace(definition: AnyDefinition, name: string, olds: Properties): unknown {
  const liveOutput = metaOf(definition, name)?.replacesUnlessLive;
  return liveOutput === undefined ? undefined : (declaredIn(definition, olds)[name] ?? olds[liveOutput] ?? undefined);
}

function refusedReplace(
  definition: AnyDefinition,
  names: readonly string[],
  olds: Properties,
  declared: Properties,
): DocsError {
  const changes = names.map((name) => {
    const before = valueBeforeReplace(definition, name, olds);
    return `${name} from ${JSON.stringify(before)} to ${JSON.stringify(declared[name])}`;
  });
  return new DocsError(
    `${definition.name}: changing ${changes.join(" and ")} would replace it, and ${definition.replaceLoses}; ` +
      "undo the change, or declare allowReplace: true to replace it",
  );
}
