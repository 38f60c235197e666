import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { messagesIn } from "./support/wording";

it("each line of a room's messages belongs to a test of the room", () => {
  const files = execFileSync("git", ["ls-files", "test"]).toString().split("\n");
  const rooms = files.filter((file) => path.basename(file) === "messages.txt").map((file) => path.dirname(file));
  expect(rooms).not.toEqual([]);
  for (const room of rooms) {
    const tests = files.filter((file) => file.startsWith(`${room}/`) && file.endsWith(".ts"));
    const text = tests.map((file) => readFileSync(file, "utf8")).join("\n");
    const unused = [...messagesIn(`${room}/messages.txt`).keys()].filter((title) => !text.includes(`"${title}"`));
    expect(unused, room).toEqual([]);
  }
});
