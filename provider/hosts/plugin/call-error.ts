import { status } from "@grpc/grpc-js";
import { nearest, shownValue } from "../../text/mistakes";

/** A call that the engine should not have made in this way: the provider answers with a status, and stays usable. */
export class CallError extends Error {
  constructor(
    readonly code: status,
    message: string,
  ) {
    super(message);
  }
}

/** A call about a type or function that the provider does not have; `what` says in the message which of the two. */
export function unknownName(what: string, token: string, known: readonly string[]): CallError {
  // All tokens begin with the same words, which would make any two of them similar.
  const byName = new Map(known.map((one) => [nameIn(one), one]));
  const guess = nearest(nameIn(token), [...byName.keys()]);
  const use = guess === undefined ? `use one of ${known.join(", ")}` : `did you mean ${byName.get(guess)}?`;
  return new CallError(status.NOT_FOUND, `there is no ${what} ${shownValue(token)}; ${use}`);
}

const nameIn = (token: string): string => token.split(":").at(-1) ?? token;
