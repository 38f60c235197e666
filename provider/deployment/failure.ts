import { ConcurrentUpdateError } from "@pulumi/pulumi/automation";
import { DocsError } from "../api/http/errors";
import { withoutPasswordOf } from "../text/masking";
import { commandFor } from "../text/stack-commands";

/** The engine or the provider was ended, or did not begin, so a part of the command was not done. */
export class EndedError extends DocsError {
  override name = "EndedError";
}

/** The failure of a command of the engine. `what` says what was attempted. */
export function failureOfCommand(error: unknown, what: string, stackName: string): DocsError {
  if (error instanceof DocsError) return error;
  const message = withoutPasswordOf(process.env, (error as Error).message);
  const cancel = `run ${commandFor("cancel", stackName)}`;
  const signal = signalIn(message);
  if (signal !== undefined)
    return new EndedError(
      `${what}: the engine was ended by ${signal}, as a lack of memory or a cancelled job does; if the next run says that another one changes the stack, ${cancel}`,
      { cause: error },
    );
  if (error instanceof ConcurrentUpdateError)
    return new EndedError(
      `${what}: another run changes this stack now; wait for it, or ${cancel} if that run was killed`,
      { cause: error },
    );
  return new DocsError(`${what}: ${knownReason(message, stackName, cancel) ?? printedIn(message)}`, { cause: error });
}

/** What a message of the engine means, and what to do. */
function knownReason(message: string, stackName: string, cancel: string): string | undefined {
  if (/failed to load checkpoint: EOF/.test(message))
    return `the description of the state is empty: another run writes it now, or was killed while it did; run this again, and if that does not help, remove the file ${stackName}.json.attrs beside the state`;
  if (/incorrect passphrase/.test(message))
    return "the stack was made with another passphrase; set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE as at that time";
  if (/\berror: (unexpected end of JSON input|invalid character .*)$/m.test(message))
    return `the lock of stack ${stackName} is damaged, as by a full disk; make sure that no other run changes the stack, ${cancel}, and run this again`;
  const damage = damageIn(message);
  return (
    damage &&
    `the state of stack ${stackName} is damaged: ${damage}; restore it from a backup, such as ${stackName}.json.bak beside it or .pulumi/backups of the backend, and run this again`
  );
}

/** The reasons that `pulumi import` prints below its progress: the Automation API passes on no events of an import. */
export function importFailureOf(error: unknown, stackName: string): DocsError {
  const [, diagnostics = ""] = (error as Error).message.split("\nDiagnostics:\n");
  const printed = [...diagnostics.matchAll(/^ +error: (.*)$/gm)].map(([, reason = ""]) => reason);
  const reasons = new Set(printed.map((reason) => reason.replace(/^update failed: (step application failed: )?/, "")));
  if (reasons.size === 0) return failureOfCommand(error, "the import failed", stackName);
  return new DocsError(["the import failed:", ...reasons].join("\n  "), { cause: error });
}

/** The JSON document that a command printed before it failed, as the Automation API reports it (seen in 3.270). */
export const printedDocument = (message: string): string => /^\{\n[\s\S]*?^\}$/m.exec(message)?.[0] ?? "";

/** The signal that ended the CLI, as the Automation API reports it (seen in 3.270). */
export const signalIn = (message: string): string | undefined =>
  /\bCommand was killed with (SIG[A-Z]+)/.exec(message)?.[1];

/** Why the engine cannot read a state. Without any content, a state makes it crash (seen in 3.259). */
function damageIn(message: string): string | undefined {
  const [, reason] = /failed to load checkpoint: (.*\b(?:JSON|unmarshal|invalid character)\b.*)/.exec(message) ?? [];
  const isEmpty = /panic: runtime error: [\s\S]*GetStackResourceOutputs/.test(message);
  return reason ?? (isEmpty ? "it has no content" : undefined);
}

/** What the CLI printed on stderr. The Automation API wraps it in the outputs of the command. */
function printedIn(message: string): string {
  const [, printed = message] = /\n stderr: ([\s\S]*?)\n err\?: /.exec(message) ?? [];
  const lines = printed.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("Command failed with"));
  return (lines.join("\n") || message).replace(/^error: /, "").trim();
}
