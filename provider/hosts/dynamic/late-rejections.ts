import * as pulumi from "@pulumi/pulumi";

let listening = false;

/**
 * The runner of programs reports a lookup that failed, or a refused input, as soon as it has failed. If the program awaits it
 * later, Node.js would warn of a rejection that was handled late (seen on 20 and 22), which tells the user nothing new.
 */
export function keepLateHandlingQuiet(): void {
  if (listening) return;
  listening = true;
  process.on("rejectionHandled", (promise) => void promise.catch(warnUnlessReported));
}

/** With a listener, Node.js no longer warns of other rejections by itself. */
function warnUnlessReported(error: unknown): void {
  if (pulumi.RunError.isInstance(error) || process.listenerCount("rejectionHandled") > 1) return;
  process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
}
