import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "../provider/api/client";
import type { Member } from "../provider/api/groups/members";
import { Service } from "./service";

/** How large the organization is. Its teams are empty. */
export interface Size {
  readonly members: number;
  readonly teams: number;
}

/** What a program of a case may name. */
export interface World {
  readonly members: readonly Member[];
  readonly teams: readonly string[];
}

/** With this name, the generated members have e-mails of 24 and 25 characters. */
const organizationId = "bench-acme";

/** As long as ids of the service are: 20 characters. */
const teamId = (index: number) => `benchmarkTeam${String(index + 1).padStart(7, "0")}`;

/** How the service answers: each request `latency` milliseconds later, and `rate` of them a second. */
export interface Traffic {
  readonly latency: number;
  readonly rate?: number | undefined;
}

/** An emulator with an organization of that size, and what is in it. Nothing of that is among the requests it counts. */
export async function startWorld(size: Size, traffic: Traffic): Promise<{ service: Service; world: World }> {
  const teams = Array.from({ length: size.teams }, (_, index) => teamId(index));
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-bench-"));
  const seed = path.join(folder, "seed.yaml");
  // JSON is YAML as well.
  const seeded = { organizations: { [organizationId]: { title: "Acme", teams: teams.map((id) => ({ id })) } } };
  await writeFile(seed, JSON.stringify(seeded));
  try {
    const { latency, rate } = traffic;
    const options = ["--latency", `${latency}`, ...(rate === undefined ? [] : ["--rate", `${rate}`])];
    const service = await Service.start("--seed", seed, "--members", `${size.members}`, ...options);
    const world = { teams, members: await membersOf(service) };
    await service.countedRequests();
    return { service, world };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function membersOf({ url, token }: Service): Promise<Member[]> {
  const client = createClient({ baseUrl: url, token });
  try {
    return await client.listMembers({ organizationId, query: { limit: 1000 } }).all();
  } finally {
    await client.close();
  }
}
