import { expect, it } from "vitest";
import { firstLine, start } from "../support/second-process";

/**
 * Deadlines and sizes, with service and client in separate processes: in a single process, handles of the service
 * would keep timers and sockets of the client alive.
 */

async function service(): Promise<string> {
  const { port } = JSON.parse(await firstLine(start("hostile-server").lines));
  return `http://127.0.0.1:${port}`;
}

interface Ended {
  readonly name: string;
  readonly took: number;
  readonly kind: string;
  readonly message: string;
  readonly notices: readonly string[];
}

async function calls(...names: string[]): Promise<{ ended: Ended[]; megabytes: number }> {
  const found: unknown[] = [];
  for await (const line of start("client", await service(), ...names).lines) {
    if (line.startsWith("{")) found.push(JSON.parse(line));
  }
  const { megabytes } = found.pop() as { megabytes: number };
  return { ended: found as Ended[], megabytes };
}

it("a slow answer ends at the deadline, wherever it slows down", async () => {
  const names = ["trickling-body", "trickling-error", "trickling-limit", "trickling-head"];
  const { ended } = await calls(...names, "trickling-stream");
  for (const { name, took, kind, message } of ended.slice(0, 4)) {
    expect([name, kind]).toEqual([name, "ConnectionError"]);
    expect(message).toMatch(/within 0\.7 s \(.*TIMEOUT\); try again, and check the network/);
    expect(took).toBeLessThan(8_000);
  }
  expect(ended[4]?.message).toHaveWording("a slow stream");
  expect(ended[4]?.took).toBeLessThan(8_000);
});

it("an endless answer does not fill the memory, and a deep one does not crash", async () => {
  const { ended, megabytes } = await calls("endless-body", "endless-error", "endless-head", "endless-event", "deep");
  const messages = Object.fromEntries(ended.map(({ name, message }) => [name, message]));
  expect(messages).toEqual({
    "endless-body": expect.toHaveWording("an endless body"),
    "endless-error": expect.stringMatching(/answered 400 "x{200}"$/),
    "endless-head": expect.stringContaining("UND_ERR_HEADERS_OVERFLOW"),
    "endless-event": expect.toHaveWording("an endless event"),
    deep: expect.toHaveWording("a deep answer"),
  });
  expect(megabytes).toBeLessThan(500);
});

it("a service that asks for half an hour is not waited for if the option allows less", async () => {
  const { ended } = await calls("limited");
  // The pause of 2099 s is a few seconds shorter when the message is made.
  expect(ended[0]?.message.replace(/209\d s/, "209 s")).toHaveWording("a long pause");
  expect(ended[0]?.took).toBeLessThan(12_000);
});

it("a process that waits for a body ends at SIGTERM", async () => {
  const { child, lines } = start("client", await service(), "waiting");
  expect(await firstLine(lines)).toBe("begins");
  await new Promise((resolve) => setTimeout(resolve, 500));
  const asked = Date.now();
  child.kill("SIGTERM");
  const signal = await new Promise((resolve) => child.once("exit", (_, name) => resolve(name)));
  expect(signal).toBe("SIGTERM");
  expect(Date.now() - asked).toBeLessThan(1_000);
});
