import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { z } from "zod";
import { cut } from "../../text/masking";
import { inOneLine, mistakesIn } from "../../text/mistakes";
import { escaped } from "../../text/visible";
import { parseJson, TooLarge } from "./body";
import type { Ending } from "./deadline";
import { ConnectionError, DocsError } from "./errors";
import { messageOf } from "./failure";

/**
 * The body of an event stream, which may last for hours. Time and size are limited from one event to the next.
 * Bytes without a complete event do not reset the limits. The time that the reader takes for an event does not count.
 */
export class WatchedStream implements AsyncIterable<Uint8Array> {
  private waited = 0;
  private size = 0;

  constructor(
    private readonly body: AsyncIterable<Uint8Array>,
    private readonly ending: Ending,
    /** Milliseconds and bytes from one event to the next. */
    private readonly limits: { readonly idle: number; readonly mostBytes: number },
  ) {}

  noteEvent(): void {
    this.waited = 0;
    this.size = 0;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const chunks = this.body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const start = performance.now();
        this.ending.abortAfter(this.limits.idle - this.waited);
        const { value, done } = await chunks.next();
        this.ending.stopTimer();
        this.waited += performance.now() - start;
        if (done) return;
        this.size += value.byteLength;
        if (this.size > this.limits.mostBytes) throw new TooLarge();
        yield value;
      }
    } finally {
      this.ending.stopTimer();
      await chunks.return?.();
    }
  }
}

/**
 * Reads the events of a `text/event-stream` body, each `data: <JSON>`. The end of the body or an event named `done` ends the
 * stream; an event named `error` throws a DocsError with its message.
 */
export async function* eventsOf(body: WatchedStream, attempted: string, schema: z.ZodType, signal?: AbortSignal) {
  try {
    for await (const message of messagesOf(body)) {
      signal?.throwIfAborted();
      body.noteEvent();
      if (message.event === "done" || message.data === "[DONE]") return;
      if (message.event === "error")
        throw new DocsError(`could not ${attempted}: the service said "${escaped(cut(messageOf(message.data), 500))}"`);
      const data = parseEvent(message.data, attempted);
      const wrong = mistakesIn(schema, data);
      if (wrong.length > 0) throw new DocsError(`could not ${attempted}: an event is not usable: ${inOneLine(wrong)}`);
      yield data;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DocsError) throw error;
    const reason = error instanceof TooLarge ? "one event is larger than the limit (client option maxBody)" : undefined;
    const text = reason ?? `the stream broke off (${cut((error as Error).message, 500)})`;
    throw new ConnectionError(attempted, text, { cause: error });
  }
}

/** The parser drops events without data, as the standard says, but the `done` event may have none. */
const doneWithoutData = /(?<=\n)event: done\r?\n\r?\n/;
const longestDone = "\nevent: done\r\n\r\n".length;

async function* messagesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<EventSourceMessage> {
  let ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => ready.push(message) });
  const decoder = new TextDecoder();
  // What was read last, because `done` may be split between chunks. The first line also counts as one after a line break.
  let tail = "\n";
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    const recent = tail + text;
    const doneAt = recent.search(doneWithoutData);
    const isDone = doneAt >= 0;
    // The parser has read the tail already.
    parser.feed(isDone ? text.slice(0, Math.max(0, doneAt - tail.length)) : text);
    yield* ready;
    ready = [];
    if (isDone) return;
    tail = recent.slice(-longestDone);
  }
}

function parseEvent(data: string, attempted: string): unknown {
  const json = parseJson(data);
  if ("value" in json) return json.value;
  throw new DocsError(`could not ${attempted}: an event is ${json.problem} ("${escaped(cut(data, 80))}")`);
}
