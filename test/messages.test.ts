import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { messagesIn } from "./support/wording";

/** Whether a test expects the wording, or has its title first or last in a row or a call. A title of one word must be first. */
function isUsed(title: string, text: string): boolean {
  const quoted = `"${title.replaceAll(/\W/g, "\\$&")}"`;
  const isExpected = `(toHaveWording\\(|=)\\s*${quoted}`;
  const isFirst = `[[(]\\s*${quoted},`;
  const isLast = `,\\s*${quoted},?\\s*[\\])]`;
  const isInList = `each\\(\\[\\s*("[^"]*",\\s*)*${quoted}`;
  const ways = [isExpected, isFirst, isInList, ...(title.includes(" ") ? [isLast] : [])];
  return new RegExp(ways.join("|")).test(text);
}

it("each message of a room belongs to a test of the room, once and in order", () => {
  const files = execFileSync("git", ["ls-files", "test"]).toString().split("\n");
  const rooms = files.filter((file) => path.basename(file) === "messages.txt").map((file) => path.dirname(file));
  expect(rooms).not.toEqual([]);
  for (const room of rooms) {
    const isIn = (file: string) => (room === "test" ? path.dirname(file) === room : file.startsWith(`${room}/`));
    const tests = files.filter((file) => isIn(file) && file.endsWith(".ts"));
    const text = tests.map((file) => readFileSync(file, "utf8")).join("\n");
    const messages = messagesIn(`${room}/messages.txt`);
    expect(messages, room).toEqual([...new Map(messages)].sort(([, one], [, other]) => (one < other ? -1 : 1)));
    expect(messages.filter(([title]) => !isUsed(title, text)).join("\n"), room).toBe("");
  }
});
