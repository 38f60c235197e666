export interface Diagnostic {
  readonly severity: string;
  readonly urn: string | undefined;
  readonly text: string;
}

/** `site-2` is before `site-10`. */
export const alphabetical = new Intl.Collator("en", { numeric: true });

// biome-ignore lint/suspicious/noControlCharactersInRegex: the engine colours what programs print
const colours = /\u001b\[[0-9;]*m/g;

/** The messages that `pulumi preview --json` has printed. */
export function diagnosticsOf(
  printed: readonly { readonly severity: string; readonly urn?: string | undefined; readonly message: string }[],
  hasSteps: boolean,
): Diagnostic[] {
  const all = printed.map(({ severity, urn, message }) => {
    return { severity, urn, text: inPlainWords(message.replace(colours, "")) };
  });
  const errors = all.filter(({ severity }) => severity === "error");
  // Beside the reason, the engine's summary and echoes are useless. Without a reason, they are the only sign of the failure.
  const lacksReason = ({ text }: Diagnostic) => /^(update|preview) failed$/.test(text) || isEcho(text);
  const isExplained = errors.some((one) => !lacksReason(one));
  const isRepeated = (one: Diagnostic) =>
    one.urn === undefined && all.some((other) => other.urn && other.text.includes(one.text));
  const isUseless = (one: Diagnostic) => one.text === "" || isRepeated(one) || (isExplained && lacksReason(one));
  const diagnostics = joinProtected(all.filter((one) => !isUseless(one)));
  if (hasSteps || diagnostics.length > 0)
    return diagnostics.sort((one, other) => alphabetical.compare(one.urn ?? "", other.urn ?? ""));
  return [{ severity: "error", urn: undefined, text: "the preview has no steps and does not say why" }];
}

/** Whether a message only repeats a failure that ended the engine's side of the program, as the engine and the SDK of Node.js report it. */
export function isEcho(message: string): boolean {
  if (/failed to register new resource .* (resource monitor shut down|RST_STREAM)/.test(message)) return true;
  if (/^Unhandled exception: Error: resource .* failed to register$/m.test(message)) return true;
  // A list of reasons may have such a line beside real ones.
  return message.split("\n").every((line) => /(^\s*|: )grpc: the client connection is closing\s*$/.test(line));
}

/** Replaces the engine's text, which assumes that the user protected the object, and names a command that only changes the state. */
const protectedText =
  " cannot be deleted while protected; if the key or name was changed, change it back; for a deletion, declare protect: false, run an up, and then remove it or run the destroy again";

/** One message for all protected resources, such as the sites of an organization that is destroyed. */
function joinProtected(all: readonly Diagnostic[]): Diagnostic[] {
  const refused = all.filter(({ text }) => text.endsWith(protectedText));
  const names = refused.map((one) => one.text.slice(0, -protectedText.length)).sort(alphabetical.compare);
  if (refused.length < 2) return [...all];
  const others = all.filter((one) => !refused.includes(one));
  return [...others, { severity: "error", urn: undefined, text: `${names.join(", ")}${protectedText}` }];
}

/** Removes the engine's prefixes and stack traces, and shows names instead of URNs. */
function inPlainWords(message: string): string {
  const lines = message.split(/\r?\n/).filter((line) => !/^\s+at .*[:(]/.test(line));
  return lines
    .join("\n")
    .replace(/^(error|warning|info): /, "")
    .replace(/^Preview failed: /, "")
    .replace(/^(pulumi-nodejs:dynamic\/docs:|docs:index:|pulumi:providers:)\w+ resource '.*?'( has a problem)?: /, "")
    .replace(/^property (\S+) value \{[\s\S]*?\} has a problem: /, "$1: ")
    .replace(/ cannot be deleted\s+because it is protected\. [\s\S]*?`pulumi state unprotect .*?`/, protectedText)
    .replace(/resource "urn:pulumi:[^"]*[:$/](\w+)::([^"]+)"/g, '$1 "$2"')
    .trim();
}
