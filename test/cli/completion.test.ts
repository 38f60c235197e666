import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isCi } from "../../scripts/ci";
import { docsOrg } from "../support/docs-org";

/** Whether a shell is installed: every machine has bash, and few have the others. */
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What `docs-org` answers to the script of a shell: all words of the place. The script keeps those that begin as typed. */
async function offers(shell: string, ...words: string[]): Promise<string[]> {
  const { status, stdout } = await docsOrg("completion", shell, "--", ...words);
  expect(status).toBe(0);
  return stdout.trimEnd().split("\n");
}

const names = (lines: readonly string[]): string[] => lines.map((line) => line.split(/[:\t]/, 1)[0] ?? "");

test("the offers are commands, commands below them, options and their values", async () => {
  expect(await offers("bash", "pre")).toEqual(expect.arrayContaining(["up", "take-over", "doctor", "--help"]));
  expect(await offers("bash", "preview", "--f")).toEqual(expect.arrayContaining(["--format", "--fail-on"]));
  expect(await offers("bash", "preview", "--format", "")).toEqual(["text", "markdown", "html", "json"]);
  expect(await offers("bash", "preview", "--format", "json", "--fail-on", "r")).toEqual([
    "risk",
    "change",
    "expiring=30d",
  ]);
  expect(await offers("bash", "plugin", "in")).toEqual(["install", "help", "--help"]);
  expect(await offers("bash", "completion", "z")).toEqual(["bash", "zsh", "fish", "--help"]);
  expect(await offers("bash", "emulate", "--version", "")).toEqual(["0.146", "0.202"]);
  expect(await offers("bash", "up", "--format")).not.toContain("--format");
  expect(await offers("bash", "up", "--plan", "")).toEqual([""]);
});

test("zsh and fish also get what each word means", async () => {
  expect(await offers("zsh", "preview", "--")).toContain("--format:output format");
  expect(await offers("zsh", "emulate", "")).toContainEqual(expect.stringMatching(/^--read-lag:.*\\: lists=10s, /));
  expect(await offers("fish", "preview", "--")).toContain("--format\toutput format");
  for (const shell of ["zsh", "fish"])
    expect(names(await offers(shell, "up", ""))).toEqual(await offers("bash", "up", ""));
});

/** A function `docs-org` of a shell, which answers to these words only. */
async function answering(shell: string, words: readonly string[]): Promise<string> {
  const answer = quoted((await offers(shell, ...words)).join("\n"));
  const asked = quoted(["completion", shell, "--", ...words].join(" "));
  // Inside single quotes, fish writes a quote as \', where other shells write '\''.
  return shell === "fish"
    ? `function docs-org; test "$argv" = ${asked}; and printf '%s' ${answer.replaceAll("'\\''", "\\'")}; end`
    : `docs-org() { [ "$*" = ${asked} ] && printf '%s' ${answer}; }`;
}

/** What bash offers for the last of these words. */
async function completeInBash(...words: string[]): Promise<string[]> {
  const script = `${await answering("bash", words)}
${(await docsOrg("completion", "bash")).stdout}
COMP_WORDS=(docs-org ${words.map(quoted).join(" ")}) COMP_CWORD=${words.length}
$(complete -p docs-org | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" }).trim().split("\n");
}

test("bash completes the word, and offers files if there is nothing else", async () => {
  expect(await completeInBash("pre")).toEqual(["preview"]);
  expect(await completeInBash("preview", "--f")).toEqual(["--format", "--fail-on"]);
  expect(await completeInBash("preview", "--format", "")).toEqual(["text", "markdown", "html", "json"]);
  expect(await completeInBash("up", "--plan", "")).toEqual([""]);
  expect((await docsOrg("completion", "bash")).stdout).toContain("complete -o bashdefault -o default -F");
});

/** What zsh offers for the last of these words: the functions of its completion system print what they are given. */
async function completeInZsh(...words: string[]): Promise<string[]> {
  const script = `compdef() { }
_files() { print FILES }
_describe() { local list="\${@[-1]}"; print -rl -- "\${(P@)list}" }
${await answering("zsh", words)}
${(await docsOrg("completion", "zsh")).stdout}
words=(docs-org ${words.map(quoted).join(" ")}) CURRENT=${words.length + 1}
_docs_org`;
  return execFileSync("zsh", ["-f", "-c", script], { encoding: "utf8" }).trim().split("\n");
}

test.skipIf(!has("zsh") && !isCi())("zsh offers the same words with their meaning (needs zsh)", async () => {
  for (const words of [[""], ["preview", "--format", ""], ["preview", "--"], ["emulate", ""], ["completion", ""]])
    expect(await completeInZsh(...words)).toEqual(await offers("zsh", ...words));
  expect(await completeInZsh("up", "--plan", "")).toEqual(["FILES"]);
});

/** What fish offers at the end of a line. */
async function completeInFish(...words: string[]): Promise<string[]> {
  const script = `${await answering("fish", words)}
${(await docsOrg("completion", "fish")).stdout}
complete -C ${quoted(["docs-org", ...words].join(" "))}`;
  return names(execFileSync("fish", ["--no-config", "-c", script], { encoding: "utf8" }).trim().split("\n"));
}

test.skipIf(!has("fish") && !isCi())("fish offers the same words, or files (needs fish)", async () => {
  expect(await completeInFish("pre")).toEqual(["preview"]);
  expect(await completeInFish("preview", "--f")).toEqual(["--fail-on", "--format"]);
  expect(await completeInFish("preview", "--format", "")).toEqual(["html", "json", "markdown", "text"]);
  expect(await completeInFish("plugin", "")).toEqual(["help", "install", "--help"]);
  expect(await completeInFish("completion", "z")).toEqual(["zsh"]);
  expect(await completeInFish("up", "--plan", "pack")).toEqual(expect.arrayContaining(["package.json"]));
});
