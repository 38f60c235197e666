import { onTestFinished } from "vitest";
import { createClient } from "../../provider/api/client";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { serve } from "./http-server";

/** Changes an answer on its way. The `url` of the request is its path with the query. */
export type ScriptedLie = (
  answer: { status: number; body: unknown },
  request: { method: string; url: string },
) => unknown;

/** The emulator behind a proxy that changes its answers, and sends requests to the paths that `forwarded` returns. */
export async function scriptedService(lie: ScriptedLie, forwarded = (url: string) => url) {
  const emulator: Emulator = await startEmulator();
  const server = await serve(async (response, { method, url, headers, body }) => {
    const answer = await fetch(emulator.url + forwarded(url), {
      method,
      headers: { authorization: String(headers.authorization), "content-type": "application/json" },
      ...(body && { body }),
    });
    const text = await answer.text();
    const type = answer.headers.get("content-type") ?? "";
    const isJson = type.includes("json") && text !== "";
    const changed = () => JSON.stringify(lie({ status: answer.status, body: JSON.parse(text) }, { method, url }));
    response.writeHead(answer.status, { "content-type": type }).end(isJson ? changed() : text);
  });
  const client = createClient({ baseUrl: server.url, token: emulator.token });
  onTestFinished(async () => {
    await client.close();
    await server.close();
    await emulator.close();
  });
  return { client, emulator, received: server.received };
}
