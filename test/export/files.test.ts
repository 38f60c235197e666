import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { writeInStaging } from "../../provider/export/files";
import { freshFolder } from "../support/docs-org";

it("removes everything if it is interrupted, and ends by the same signal", async () => {
  const kill = vi.spyOn(process, "kill").mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const folder = join(freshFolder(), "new");
  await writeInStaging(folder, async (staging) => {
    expect(existsSync(staging)).toBe(true);
    process.emit("SIGINT", "SIGINT");
    expect(existsSync(folder)).toBe(false);
  });
  expect(kill.mock.calls).toEqual([[process.pid, "SIGINT"]]);
  const listeners = process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");
  await writeInStaging(folder, async () => {
    expect(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM")).toBe(listeners + 2);
  });
  expect(process.listenerCount("SIGINT") + process.listenerCount("SIGTERM")).toBe(listeners);
  expect(readdirSync(folder)).toEqual([]);
});
