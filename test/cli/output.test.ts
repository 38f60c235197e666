import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { print, watchOutput } from "../../provider/cli/output";
import { docsOrg } from "../support/docs-org";

const failure = (code: string) => Object.assign(new Error(code), { code });

/** What is said when each stream emits an error, and the status with which the process would end. */
function failing(code: string): { said: string; status: unknown } {
  const streams = { stdout: new EventEmitter(), stderr: new EventEmitter() };
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const exit = vi.spyOn(process, "exit").mockImplementation((() => undefined) as never);
  watchOutput(streams as unknown as Pick<NodeJS.Process, "stdout" | "stderr">);
  for (const stream of Object.values(streams)) stream.emit("error", failure(code));
  return { said: write.mock.calls.join(""), status: exit.mock.calls[0]?.[0] };
}

afterEach(() => vi.restoreAllMocks());

test("a reader that ends early does not stop the command", async () => {
  vi.spyOn(process.stdout, "write").mockImplementation((...args: unknown[]) => {
    (args.at(-1) as (error: Error) => void)(failure("EPIPE"));
    return false;
  });
  await expect(print("text")).resolves.toBeUndefined();
  expect(failing("EPIPE")).toEqual({ said: "", status: undefined });
});

test("a standard output that cannot be written ends the command with a sentence, and stderr does not", () => {
  const said = "docs-org: could not write the standard output: the disk is full\n";
  expect(failing("ENOSPC")).toEqual({ said, status: 1 });
});

test("the help groups the commands", async () => {
  const { stdout } = await docsOrg("--help");
  expect(stdout.match(/^\S.*:$/gm)?.join("\n")).toHaveWording("the groups of commands");
});
