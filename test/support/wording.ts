import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect } from "vitest";

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the interface that vitest declares has this parameter.
  interface Matchers<T = any> {
    /** Expects the text, or an error with the message, that `messages.txt` of the room has under this title. */
    toHaveWording(title: string): T;
  }
}

/** Messages by their titles. Each is a line `title: message`, and its other lines are indented. */
export function messagesIn(file: string): Map<string, string> {
  const messages = existsSync(file)
    ? readFileSync(file, "utf8")
        .trimEnd()
        .split(/\n(?=\S)/)
    : [];
  return new Map(messages.map((message) => [message.slice(0, message.indexOf(": ")), message]));
}

/** What differs in each run. */
const changing: readonly (readonly [value: RegExp, name: string])[] = [
  [/https?:\/\/127\.0\.0\.1:\d+/g, "SERVICE"],
  [new RegExp(`${tmpdir()}/[\\w-]+`, "g"), "FOLDER"],
  [/_[A-Za-z0-9]{20}\b/g, "_ID"],
];

expect.extend({
  toHaveWording(received: unknown, title: string) {
    const text = received instanceof Error ? received.message : received;
    if (typeof text !== "string") throw new TypeError(`neither a text nor an error: ${text}`);
    const stable = changing.reduce((one, [value, name]) => one.replace(value, name), text);
    const actual = `${title}: ${stable.trimEnd().replaceAll(/\n(?=.)/g, "\n  ")}`;
    const room = path
      .dirname(path.relative(process.cwd(), this.testPath ?? ""))
      .split(path.sep)
      .slice(0, 2);
    const file = path.resolve(...room, "messages.txt");
    if (expect.getState().snapshotState.snapshotUpdateState === "all") write(file, title, actual);
    const expected = messagesIn(file).get(title);
    return {
      pass: actual === expected,
      message: () => `the message is not the one in ${file}; if it is right, run this test with -u`,
      actual,
      expected,
    };
  },
});

/** Files of a room run in several processes at once. */
function write(file: string, title: string, message: string): void {
  const lock = `${file}.lock`;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
  const messages = [...messagesIn(file).set(title, message).values()];
  // At once, because other files read it without the lock.
  writeFileSync(`${file}.new`, `${messages.sort().join("\n")}\n`);
  renameSync(`${file}.new`, file);
  rmdirSync(lock);
}
