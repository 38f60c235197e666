import { visible } from "../../text/visible";

export type LogRequest = (line: string) => void;

/**
 * Runs one attempt of a request, and logs its method, path, status, milliseconds and its number. The query and the body are left
 * out, because they may have secrets such as the key of a share link.
 */
export async function logAttempt<Answer extends { readonly statusCode: number }>(
  log: LogRequest | undefined,
  { method, path }: { readonly method: string; readonly path: string },
  attempt: number,
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!log) return work();
  const begun = performance.now();
  const put = (result: string | number) => {
    const duration = Math.round(performance.now() - begun);
    log(`${method} ${visible(path.split("?", 1)[0] ?? "", 500)} ${result} ${duration} ms, attempt ${attempt}`);
  };
  try {
    const answer = await work();
    put(answer.statusCode);
    return answer;
  } catch (error) {
    put("no answer");
    throw error;
  }
}
