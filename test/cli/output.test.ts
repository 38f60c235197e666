import { EventEmitter } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { ignoreClosedPipes, print } from "../../provider/cli/output";

const failure = (code: string) => Object.assign(new Error(code), { code });
const failWrites = (error: Error) =>
  vi.spyOn(process.stdout, "write").mockImplementation((...args: unknown[]) => {
    (args.at(-1) as (error: Error) => void)(error);
    return false;
  });

afterEach(() => vi.restoreAllMocks());

test("a reader that ends early does not stop the command", async () => {
  failWrites(failure("EPIPE"));
  await expect(print("text")).resolves.toBeUndefined();
  const stream = new EventEmitter();
  ignoreClosedPipes([stream]);
  expect(() => stream.emit("error", failure("EPIPE"))).not.toThrow();
});

test("other failures of the output are reported", async () => {
  failWrites(failure("ENOSPC"));
  await expect(print("text")).rejects.toThrow("ENOSPC");
  const stream = new EventEmitter();
  ignoreClosedPipes([stream]);
  expect(() => stream.emit("error", failure("ENOSPC"))).toThrow("ENOSPC");
});
