import { createParser } from "eventsource-parser";
import type { z } from "zod";
import { ConnectionError, DocsError } from "./errors";
import { inOneLine, mistakesIn } from "./mistakes";

/**
 * The events of a `text/event-stream` body: each one is `data: <JSON>`. The body's end or an event named `done` ends the
 * stream, an event named `error` throws what it says.
 */
export async function* eventsOf(
  body: AsyncIterable<Uint8Array>,
  attempted: string,
  schema: z.ZodType,
  signal?: AbortSignal,
) {
  try {
    for await (const message of messagesOf(body)) {
      signal?.throwIfAborted();
      if (message.event === "done" || message.data === "[DONE]") return;
      if (message.event === "error") {
        throw new DocsError(`could not ${attempted}: the service said "${messageOf(message.data)}"`);
      }
      const data = parsed(message.data, attempted);
      const wrong = mistakesIn(schema, data);
      if (wrong.length > 0) throw new DocsError(`could not ${attempted}: an event is not usable: ${inOneLine(wrong)}`);
      yield data;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DocsError) throw error;
    throw new ConnectionError(attempted, `the stream broke off (${(error as Error).message})`, false, { cause: error });
  }
}

interface Message {
  readonly event?: string | undefined;
  readonly data: string;
}

async function* messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Message> {
  let ready: Message[] = [];
  const parser = createParser({ onEvent: (message) => ready.push(message) });
  const decoder = new TextDecoder();
  let tail = "";
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    // The standard drops an event without data, and this one may have none.
    const end = (tail + text).replaceAll("\r\n", "\n").indexOf(doneWithoutData);
    parser.feed(end < 0 ? text : text.slice(0, Math.max(0, end + 1 - tail.length)));
    yield* ready;
    ready = [];
    if (end >= 0) return;
    tail = (tail + text).slice(-doneWithoutData.length);
  }
}

const doneWithoutData = "\nevent: done\n\n";

function parsed(data: string, attempted: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw new DocsError(`could not ${attempted}: an event is not JSON ("${data.slice(0, 80)}")`);
  }
}

/** The message in the data of an error event, or the data itself where it is something else. */
function messageOf(data: string): string {
  try {
    const { error, message } = JSON.parse(data) as { error?: { message?: string }; message?: string };
    return (error?.message ?? message ?? data).slice(0, 500);
  } catch {
    return data.slice(0, 500);
  }
}
