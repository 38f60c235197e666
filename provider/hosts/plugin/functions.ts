import { status } from "@grpc/grpc-js";
import * as lookups from "../../lookups";
import { answerOf, checkedArguments, contextFor, type Lookup } from "../../lookups/lookup";
import { containsUnknown, type Properties, propertiesIn } from "../../run/properties";
import type { Run } from "../../run/run";
import { typeIn } from "../../run/urn";
import { CallError, unknownName } from "./call-error";

const byToken: ReadonlyMap<string, Lookup> = new Map(
  Object.values<Lookup>(lookups).map((lookup) => [typeIn("plugin", lookup.name), lookup]),
);

export function calledFunction(token: string): Lookup {
  const lookup = byToken.get(token);
  if (lookup) return lookup;
  throw unknownName("function", token, [...byToken.keys()]);
}

/** The functions of programs, which read the live organization. Answers are cached until the run changes something. */
export class Functions {
  private reader: Run;
  private changesSeen = 0;

  constructor(
    private readonly run: Run,
    /** How many changes of resources the run has finished. */
    private readonly countChanges: () => number,
  ) {
    this.reader = run;
  }

  async call(lookup: Lookup, given: Properties): Promise<Properties> {
    if (containsUnknown(given))
      throw new CallError(
        status.INVALID_ARGUMENT,
        `${lookup.name}: an argument is not known yet; call it when all are known`,
      );
    const args = checkedArguments(lookup, given);
    const answer = await answerOf(lookup, await contextFor(this.upToDate(), args), args);
    // A function of the engine returns an object.
    return Array.isArray(answer) ? { items: answer } : propertiesIn(answer);
  }

  /** The run whose cached answers are not older than the last change. */
  private upToDate(): Run {
    const changes = this.countChanges();
    if (changes !== this.changesSeen) this.reader = this.run.startAfresh();
    this.changesSeen = changes;
    return this.reader;
  }
}
