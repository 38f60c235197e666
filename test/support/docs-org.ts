import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { run } from "../../provider/cli/program";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../provider/emulator";
import { settingsOf } from "./settings";

export interface Result {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An emulator of its own for the running test, and the environment that leads to it. */
export async function emulate(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  const environment = { ...process.env };
  Object.assign(process.env, settingsOf(emulator));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    process.env = environment;
    await emulator.close();
  });
  return emulator;
}

/** Runs docs-org in this process: its exit status, and what it writes. */
export async function docsOrg(...args: string[]): Promise<Result> {
  const written = { stdout: "", stderr: "" };
  const spies = [
    ...(["stdout", "stderr"] as const).map((name) =>
      vi.spyOn(process[name], "write").mockImplementation((text, ...[done]: unknown[]) => {
        written[name] += text;
        if (typeof done === "function") done();
        return true;
      }),
    ),
    vi.spyOn(console, "log").mockImplementation((text) => {
      written.stdout += `${text}\n`;
    }),
  ];
  try {
    const status = await run(args);
    const { DOCS_TOKEN: token } = process.env;
    if (token) expect(written.stdout + written.stderr).not.toContain(token);
    return { status, ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

export function freshFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "docs-org-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}
