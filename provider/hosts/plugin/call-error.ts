import { nearest } from "../../text/mistakes";

/** Status codes of gRPC, as far as this provider answers with them. */
export enum Code {
  unknown = 2,
  invalid = 3,
  notFound = 5,
  exists = 6,
  precondition = 9,
  unimplemented = 12,
}

/** A call that the engine should not have made in this way: the provider answers with a status, and stays usable. */
export class CallError extends Error {
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
  }
}

/** A call about a type or function that the provider does not have; `what` is one of these words. */
export function unknownName(what: string, name: string, known: readonly string[]): CallError {
  const guess = nearest(name, known);
  const use = guess === undefined ? `use one of ${known.join(", ")}` : `did you mean ${guess}?`;
  return new CallError(Code.notFound, `there is no ${what} ${JSON.stringify(name)}; ${use}`);
}
