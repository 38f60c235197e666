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

const teamsOf = ({ teams }: Size) => Array.from({ length: teams }, (_, index) => teamId(index));

/** An organization of this size without its members, which the emulator generates. */
export const seedOf = (size: Size) => ({
  organizations: { [organizationId]: { title: "Acme", teams: teamsOf(size).map((id) => ({ id })) } },
});

/** Starts an emulator with an organization of this size, and reads its ids. These reads are not among the counted requests. */
export async function startWorld(size: Size, latency: number): Promise<{ service: Service; world: World }> {
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-bench-"));
  const seed = path.join(folder, "seed.yaml");
  // JSON is YAML as well.
  await writeFile(seed, JSON.stringify(seedOf(size)));
  try {
    const service = await Service.start("--seed", seed, "--members", `${size.members}`, "--latency", `${latency}`);
    const world = await readWorld(service, size);
    await service.takeRequests();
    return { service, world };
  } finally {
    await rm(folder, { recursive: true });
  }
}

export async function readWorld({ url, token }: Pick<Service, "url" | "token">, size: Size): Promise<World> {
  const client = createClient({ baseUrl: url, token });
  try {
    const members = await client.listMembers({ organizationId, query: { limit: 1000 } }).all();
    return { teams: teamsOf(size), members };
  } finally {
    await client.close();
  }
}
