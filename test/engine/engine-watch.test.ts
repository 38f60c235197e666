import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { ProviderProcess } from "../support/provider-process";
import { configOf } from "../support/settings";

it("writes nothing after the end of its engine", async () => {
  const engine = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  const emulator = await startEmulator({
    organizationId: "acme",
    seed: { organizations: { acme: { title: "Acme" } } },
    size: { members: 200 },
    rate: 10,
  });
  const config = configOf(emulator);
  const address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
  const provider = await ProviderProcess.start("MemberRoles", { config, engine: address });
  try {
    const members = [...(emulator.state.organizations.get("acme")?.members.values() ?? [])];
    const roles = Object.fromEntries(members.filter(({ role }) => role !== "admin").map(({ id }) => [id, "create"]));
    const running = provider.create({ roles }).catch(() => undefined);
    const writes = () => emulator.requests().updateMember ?? 0;
    await expect.poll(writes, { timeout: 10_000 }).toBeGreaterThan(10);
    engine.close();
    expect(await provider.ended).toBe(1);
    const done = writes();
    expect(done).toBeLessThan(Object.keys(roles).length / 2);
    await sleep(1000);
    expect(writes()).toBe(done);
    await running;
  } finally {
    await provider.stop();
    await emulator.close();
  }
});
