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
