import { createClient } from "../../../provider/api/client";
import { Limiter } from "../../../provider/api/http/limiter";

/** Calls a service in another process according to the arguments, and prints the outcome of each call. */

const [url = "", ...names] = process.argv.slice(2);
const input = [{ role: "user" as const, content: "Where?" }];

// Collects garbage often, so that a timer is gone if nothing refers to it.
setInterval(() => globalThis.gc?.(), 200).unref();

const print = (line: string) => process.stdout.write(`${line}\n`);

function limitsOf(name: string) {
  if (name === "limited") return { maxWaiting: 60_000 };
  return name.startsWith("trickling") ? { deadline: 700, idle: 700 } : { deadline: 60_000 };
}

async function call(name: string) {
  const notices: string[] = [];
  const limiter = new Limiter({ notice: (line) => notices.push(line) });
  const limits = limitsOf(name);
  const client = createClient({ baseUrl: url, token: "token_of_the_test", maxBody: 4 * 2 ** 20, limiter, ...limits });
  // "waiting" gets the same answer as "trickling-body", with long limits: the process must stay alive for it.
  const site = { organizationId: "org_1", siteId: name === "waiting" ? "trickling-body" : name };
  const start = Date.now();
  const isStream = /stream|event/.test(name);
  const error = await (isStream
    ? events(client.streamAiResponse({ ...site, body: { input } }))
    : client.getSite(site)
  ).then(
    () => undefined,
    (reason: Error) => reason,
  );
  await client.close();
  return { name, took: Date.now() - start, kind: error?.name, message: error?.message, notices };
}

async function events(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

async function main(): Promise<void> {
  print("begins");
  for (const name of names) print(JSON.stringify(await call(name)));
  print(JSON.stringify({ megabytes: process.resourceUsage().maxRSS / 1024 }));
}

void main();
