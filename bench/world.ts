import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient } from "../provider/api/client";
import type { Member } from "../provider/api/groups/members";
import { Service } from "./service";

/** Size of the organization. Its teams are empty. */
export interface Size {
  readonly members: number;
  readonly teams: number;
}

/** Ids and e-mails that the program of a case may use. */
export interface World {
  readonly members: readonly Member[];
  readonly teams: readonly string[];
}

/** Also the domain of the generated e-mails, which get a usual length with this name: 24 or 25 characters. */
const organizationId = "bench-acme";

/** Team ids have 20 characters, like those of the service. */
const teamId = (index: number) => `benchmarkTeam${String(index + 1).padStart(7, "0")}`;

export interface Traffic {
  /** Milliseconds added to each answer. */
  readonly latency: number;
  /** Status of the answer to a deletion. The default 205 proves the deletion; 204 may also mean that nothing was there. */
  readonly deleteStatus?: 204 | undefined;
}

/** Starts an emulator with an organization of this size, and reads its ids. These reads are not among the counted requests. */
export async function startWorld(size: Size, traffic: Traffic): Promise<{ service: Service; world: World }> {
  const teams = Array.from({ length: size.teams }, (_, index) => teamId(index));
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-bench-"));
  const seed = path.join(folder, "seed.yaml");
  // JSON is YAML as well.
  const seeded = { organizations: { [organizationId]: { title: "Acme", teams: teams.map((id) => ({ id })) } } };
  await writeFile(seed, JSON.stringify(seeded));
  try {
    const { latency, deleteStatus } = traffic;
    const readings = deleteStatus === undefined ? [] : ["--reading", `deleteStatus=${deleteStatus}`];
    const options = ["--latency", `${latency}`, ...readings];
    const service = await Service.start("--seed", seed, "--members", `${size.members}`, ...options);
    const world = { teams, members: await membersOf(service) };
    await service.takeRequests();
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
