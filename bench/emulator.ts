// npm run bench:emulator: measures start, answers and memory of the emulator with a large organization.
import { Pool } from "undici";
import { median } from "./numbers";
import { peakOf } from "./processes";
import { Service } from "./service";

const size = { members: 50_000, teams: 5_000 };
const seconds = 5;

async function main(): Promise<void> {
  const begun = performance.now();
  const service = await Service.start("--members", String(size.members), "--teams", String(size.teams));
  const { url, token, organizationId } = service;
  report(
    `start with ${size.members} members in ${size.teams} teams`,
    `${((performance.now() - begun) / 1000).toFixed(2)} s`,
  );
  report("memory after the start", memoryOf(service));

  const pool = new Pool(url, { connections: 16 });
  const get = async (target: string) => {
    const { statusCode, body } = await pool.request({
      method: "GET",
      path: `/v1/orgs/${organizationId}${target}`,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${target}: ${statusCode} ${text}`);
    return text;
  };
  const { items } = JSON.parse(await get("/members?limit=1000")) as { items: { id: string }[] };
  const ids = items.map(({ id }) => id);

  report(
    "single reads per second, 16 at once over keep-alive",
    Math.round(await singleReads(get, ids)).toLocaleString("en"),
  );
  report("a page of 1,000 members, one at a time, median", `${(await pageTime(get)).toFixed(1)} ms`);
  report("memory afterwards", memoryOf(service));
  await pool.close();
  await service.stop();
}

async function singleReads(get: (target: string) => Promise<string>, ids: readonly string[]): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let done = 0;
  const worker = async () => {
    while (performance.now() < end) await get(`/members/${ids[done++ % ids.length]}`);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  return done / seconds;
}

async function pageTime(get: (target: string) => Promise<string>): Promise<number> {
  const times: number[] = [];
  for (let nth = 0; nth < 50; nth++) {
    const begun = performance.now();
    await get("/members?limit=1000");
    times.push(performance.now() - begun);
  }
  return median(times);
}

function memoryOf({ pid }: Service): string {
  return `${Math.round(peakOf(pid) / 1024)} MiB at most`;
}

function report(what: string, value: string): void {
  console.log(`${what.padEnd(55)} ${value}`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
