import type { EngineEvent, OpType } from "@pulumi/pulumi/automation";
import { DocsError } from "../api/http/errors";
import { ownTypeOf } from "../resources/urns";
import { isEcho } from "../review/model/diagnostics";
import { nameIn } from "../run/urn";
import { visible } from "../text/visible";
import { EndedError } from "./failure";

/** What an operation of the engine did to a resource; other operations change nothing at the service. */
const verbs: Partial<Record<OpType, string>> = {
  create: "created",
  update: "updated",
  delete: "deleted",
  "create-replacement": "created again",
  "delete-replaced": "deleted for its replacement",
};

/** Follows a run of the engine: a line for each change and each notice, the number of changes, and the reasons of a failure. */
export class EngineProgress {
  private readonly counts = new Map<string, number>();
  private readonly reasons = new Set<string>();

  constructor(
    private readonly show: (line: string) => void,
    private readonly tell: (line: string) => void,
  ) {}

  readonly onEvent = ({ resOutputsEvent, diagnosticEvent }: EngineEvent): void => {
    if (resOutputsEvent) this.noteChange(resOutputsEvent.metadata);
    if (!diagnosticEvent || isEcho(diagnosticEvent.message)) return;
    const message = withoutMarks(diagnosticEvent.message);
    if (diagnosticEvent.severity === "info") this.tell(message.trim());
    if (diagnosticEvent.severity === "error") for (const reason of reasonsIn(message)) this.reasons.add(reason);
  };

  /** What was done so far, such as `3 created, 1 updated`. */
  get summary(): string {
    const parts = [...this.counts].map(([verb, count]) => `${count.toLocaleString("en-US")} ${verb}`);
    return parts.join(", ") || "no resource changed";
  }

  /** Why the run failed, without repetitions. */
  get failure(): DocsError | undefined {
    const all = [...this.reasons].filter(Boolean);
    if (all.length === 0) return undefined;
    const reasons = all.filter((reason) => reason !== "update failed" && !lostConnection.test(reason));
    const endReport = reasons.find((reason) => reason.includes(" exited prematurely"));
    if (endReport === undefined) return new DocsError((reasons.length > 0 ? reasons : all).join("\n"));
    const otherReasons = reasons.filter((reason) => reason !== endReport);
    const isConnectionBroken = all.some((reason) => brokenConnection.test(reason));
    return providerEndedIn(endReport, otherReasons, isConnectionBroken);
  }

  private noteChange({ op, urn, type }: { readonly op: OpType; readonly urn: string; readonly type: string }): void {
    const verb = verbs[op];
    const resource = ownTypeOf(type);
    // A component is nothing at the service.
    if (verb === undefined || !resource || resource.isComponent) return;
    this.counts.set(verb, (this.counts.get(verb) ?? 0) + 1);
    this.show(`${verb} ${visible(`${resource.name} ${nameIn(urn)}`)}`);
  }
}

const providerEnded = "the provider ended before the engine, as a lack of memory or a failure of the provider does";

/** The failure of a run in which the engine reports that the provider has ended. */
function providerEndedIn(endReport: string, others: readonly string[], isConnectionBroken: boolean): DocsError {
  const printed = printedByProvider(endReport);
  // The engine makes the same report if the provider does not end within 5 s after a change that has failed.
  if (others.length > 0 && printed === "" && !isConnectionBroken) return new DocsError(others.join("\n"));
  return new EndedError([providerEnded, printed, ...others].filter(Boolean).join("\n"));
}

const printedByProvider = (endReport: string): string =>
  (/streams of the plugin:\n?([\s\S]*)/.exec(endReport)?.[1] ?? "").trimEnd();

/** The engine's connection to the provider ended before the engine closed it. */
const brokenConnection = /error reading from server|connection (reset|refused)|\bEOF$/;

/** What the engine says of each resource when its own connection to the provider or to the program has ended. */
const lostConnection = new RegExp(`${brokenConnection.source}|transport is closing|client connection is closing`);

/** The engine makes a list of the reasons of a change that was made in part: "1 error occurred:", and each with a star. */
function reasonsIn(message: string): string[] {
  const text = message.trim();
  if (!/^\d+ errors? occurred:\n/.test(text)) return [text];
  return text
    .split(/^\s*\* /m)
    .slice(1)
    .map((reason) => reason.trim());
}

/** The engine marks colours as `<{%fg 1%}>`, and names the component whose declaration was refused, which is always the same. */
const withoutMarks = (text: string): string =>
  text.replace(/<\{%.*?%\}>/g, "").replace(/^docs:index:Organization resource '.*?' has a problem: /, "");
