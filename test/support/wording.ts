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

/** The folder of all tests, whose folders are the rooms. */
const allTests = path.dirname(__dirname);

/** Messages with their titles. Each is a line `title: message`, and its other lines are indented. */
export function messagesIn(file: string): [title: string, message: string][] {
  const text = existsSync(file) ? readFileSync(file, "utf8").replace(/\n$/, "") : "";
  const messages = text ? text.split(/\n(?=\S)/) : [];
  return messages.map((message) => [message.slice(0, message.indexOf(": ")), message]);
}

/** What differs in each run. */
const changing: readonly (readonly [value: RegExp, name: string])[] = [
  [/https?:\/\/127\.0\.0\.1:\d+/g, "SERVICE"],
  [new RegExp(`${tmpdir().replaceAll(/\W/g, "\\$&")}/[\\w-]+`, "g"), "FOLDER"],
  [/_[A-Za-z0-9]{20}\b/g, "_ID"],
];

expect.extend({
  toHaveWording(received: unknown, title: string) {
    const text = received instanceof Error ? received.message : received;
    if (typeof text !== "string") throw new TypeError(`neither a text nor an error: ${text}`);
    // A line break at the end becomes a sign, because a message of several lines may end without one.
    const stable = changing.reduce((one, [value, name]) => one.replace(value, name), text).replace(/\n$/, "⏎");
    const actual = `${title}: ${stable.replaceAll(/\n(?=.)/g, "\n  ")}`;
    const [room = ""] = path.relative(allTests, path.dirname(this.testPath ?? "")).split(path.sep);
    const file = path.join(allTests, room, "messages.txt");
    const place = `${file}: ${title}`;
    if (expect.getState().snapshotState.snapshotUpdateState === "all" && !written.has(place)) {
      write(file, title, actual);
      written.add(place);
    }
    const expected = new Map(messagesIn(file)).get(title);
    return {
      pass: actual === expected,
      message: () => `the message is not the one in ${file}; if it is right, run this test with -u`,
      actual,
      expected,
    };
  },
});

/** The titles that this process has written: a second text for one of them is a mistake. */
const written = new Set<string>();

/** Files of a room run in several processes at once. */
function write(file: string, title: string, message: string): void {
  const lock = `${file}.lock`;
  for (let attempt = 1; ; attempt++) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || attempt === 500) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
  try {
    const messages = [...new Map(messagesIn(file)).set(title, message).values()];
    // Replaced in one step, because other files read it without the lock.
    writeFileSync(`${file}.new`, `${messages.sort().join("\n")}\n`);
    renameSync(`${file}.new`, file);
  } finally {
    rmdirSync(lock);
  }
}
