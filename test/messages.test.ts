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

it("each message of a folder belongs to a test of the folder, once and in the order of the texts", () => {
  const files = execFileSync("git", ["ls-files", "test"]).toString().split("\n");
  const folders = files.filter((file) => path.basename(file) === "messages.txt").map((file) => path.dirname(file));
  expect(folders).not.toEqual([]);
  for (const folder of folders) {
    const isIn = (file: string) => (folder === "test" ? path.dirname(file) === folder : file.startsWith(`${folder}/`));
    const tests = files.filter((file) => isIn(file) && file.endsWith(".ts"));
    const text = tests.map((file) => readFileSync(file, "utf8")).join("\n");
    const messages = messagesIn(`${folder}/messages.txt`);
    const inOrder = [...new Map(messages)].sort(([, one], [, other]) => (one < other ? -1 : 1));
    expect(messages, folder).toEqual(inOrder);
    expect(messages.filter(([title]) => !isUsed(title, text)).join("\n"), folder).toBe("");
  }
});
