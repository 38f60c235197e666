import { isLoopback } from "./base-url";
import { bytesOf, readBeginning, TooLarge } from "./body";
import { createDispatcher } from "./dispatcher";
import { ApiError, ConnectionError, DocsError } from "./errors";
import { codeOf, hintOf, messageOf, safeExcerpt } from "./failure";

export interface Download {
  /** Address that the service answered. */
  readonly url: string;
  /** The operation in error messages; completes the sentence "could not". */
  readonly attempted: string;
  /** Milliseconds for the whole download. */
  readonly deadline?: number | undefined;
}

/** Maximum bytes of one file. */
const mostBytes = 256 * 2 ** 20;
const usualDeadline = 60_000;

/**
 * Downloads a file whose address the service answered, such as a PDF. The file may be on another host, so the request has no
 * token, and plain HTTP is refused unless the host is loopback.
 */
export async function download({ url, attempted, deadline = usualDeadline }: Download): Promise<Buffer> {
  refuseUnsafe(url, attempted);
  const { request } = await import("undici");
  const dispatcher = await createDispatcher(new URL(url));
  try {
    const answer = await request(url, { dispatcher, signal: AbortSignal.timeout(deadline) });
    if (answer.statusCode !== 200)
      throw new ApiError(attempted, answer.statusCode, safeExcerpt(messageOf(await readBeginning(answer.body))));
    return await bytesOf(answer.body, mostBytes);
  } catch (error) {
    throw error instanceof DocsError ? error : failureOf(error, url, attempted);
  } finally {
    await dispatcher.destroy();
  }
}

function refuseUnsafe(text: string, attempted: string): void {
  const url = new URL(text);
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))) return;
  throw new DocsError(
    `could not ${attempted}: the service answered an address at ${url.protocol}//${url.host}, and files are read over https only`,
  );
}

/** Shows the host only: the rest of the address may be a secret of the file store. */
function failureOf(error: unknown, url: string, attempted: string): ConnectionError {
  const reason =
    error instanceof TooLarge
      ? `the file has more than ${mostBytes} bytes, the limit for one file`
      : `no file from ${new URL(url).host} (${(error as Error).message || "the connection failed"})${hintOf(codeOf(error) ?? "")}`;
  return new ConnectionError(attempted, reason, { cause: error });
}
