/** The parts of a URN that this provider needs: `urn:pulumi:STACK::PROJECT::TYPES::NAME`. */
export interface Urn {
  /** The type of the resource itself, without those of its parents. */
  readonly type: string;
  readonly name: string;
}

/** Returns `undefined` for a text that is no URN. A name may contain "::". */
export function parseUrn(urn: string): Urn | undefined {
  const [scheme = "", project, types, ...name] = urn.split("::");
  const type = types?.split("$").at(-1);
  if (!scheme.startsWith("urn:pulumi:") || project === undefined || !type || name.length === 0) return undefined;
  return { type, name: name.join("::") };
}
