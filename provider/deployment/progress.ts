import type { EngineEvent, OpType } from "@pulumi/pulumi/automation";
import { DocsError } from "../api/http/errors";
import { nameIn, ownTypeOf } from "../resources/urns";
import { visible } from "../text/visible";
import { EndedError, isEcho } from "./failure";

/** What an operation of the engine did to a resource; other operations change nothing at the service. */
const verbs: Partial<Record<OpType, string>> = {
  create: "created",
  update: "updated",
  delete: "deleted",
  "create-replacement": "created again",
  "delete-replaced": "deleted for its replacement",
};

/** Follows a run of the engine: a line for each change, the number of changes, and the reasons of a failure. */
export class Progress {
  private readonly counts = new Map<string, number>();
  private readonly reasons = new Set<string>();

  constructor(private readonly show: (line: string) => void) {}

  readonly onEvent = ({ resOutputsEvent, diagnosticEvent }: EngineEvent): void => {
    if (resOutputsEvent) this.note(resOutputsEvent.metadata);
    if (diagnosticEvent?.severity === "error" && !isEcho(diagnosticEvent.message))
      this.reasons.add(withoutColours(diagnosticEvent.message).trim());
  };

  /** What was done so far, such as `3 created, 1 updated`. */
  get summary(): string {
    const parts = [...this.counts].map(([verb, count]) => `${count.toLocaleString("en-US")} ${verb}`);
    return parts.join(", ") || "no resource changed";
  }

  /** Why the run failed, without repetitions. */
  get failure(): DocsError | undefined {
    const all = [...this.reasons].filter(Boolean);
    const reasons = all.filter((reason) => reason !== "update failed" && !lostConnection.test(reason));
    const ended = reasons.find((reason) => reason.includes(" exited prematurely"));
    if (ended !== undefined) return new EndedError(providerEnded(ended, reasons));
    return all.length === 0 ? undefined : new DocsError((reasons.length > 0 ? reasons : all).join("\n"));
  }

  private note({ op, urn, type }: { readonly op: OpType; readonly urn: string; readonly type: string }): void {
    const verb = verbs[op];
    const own = ownTypeOf(type);
    // A component is nothing at the service.
    if (verb === undefined || !own || own.isComponent) return;
    this.counts.set(verb, (this.counts.get(verb) ?? 0) + 1);
    this.show(`${verb} ${visible(`${own.name} ${nameIn(urn)}`)}`);
  }
}

/** The engine's report that the provider has ended, with what it printed. */
function providerEnded(report: string, reasons: readonly string[]): string {
  const text = "the provider ended before the engine, as a lack of memory or a failure of the provider does";
  const [, printed = ""] = /streams of the plugin:\n?([\s\S]*)/.exec(report) ?? [];
  return [text, printed.trimEnd(), ...reasons.filter((reason) => reason !== report)].filter(Boolean).join("\n");
}

/** What the engine says of each resource when its own connection to the provider or to the program has ended. */
const lostConnection =
  /error reading from server|connection (reset|refused)|transport is closing|client connection is closing|\bEOF$/;

/** The engine marks colours as `<{%fg 1%}>`. */
const withoutColours = (text: string): string => text.replace(/<\{%.*?%\}>/g, "");
