import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { isCi } from "../../scripts/ci";
import { docsOrg } from "../change-requests/support";

/** Whether a shell is installed: every machine has bash, and few have the others. */
const has = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0;

/** What bash offers for the last of these words. */
async function complete(...words: string[]): Promise<string[]> {
  const { stdout } = await docsOrg("completion", "bash");
  const line = ["docs-org", ...words].map((word) => `'${word}'`).join(" ");
  const script = `${stdout}
COMP_WORDS=(${line}) COMP_CWORD=${words.length}
$(complete -p docs-org | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["--norc", "-c", script], { encoding: "utf8" }).trim().split("\n");
}

test("bash completes commands, commands below them, options and their values", async () => {
  expect(await complete("pre")).toEqual(["preview"]);
  expect(await complete("")).toEqual(expect.arrayContaining(["up", "take-over", "doctor", "--help"]));
  expect(await complete("preview", "--f")).toEqual(["--format", "--fail-on"]);
  expect(await complete("preview", "--format", "")).toEqual(["text", "markdown", "html", "json"]);
  expect(await complete("preview", "--format", "json", "--fail-on", "r")).toEqual(["risk"]);
  expect(await complete("plugin", "in")).toEqual(["install"]);
  expect(await complete("completion", "z")).toEqual(["zsh"]);
  expect(await complete("emulate", "--ver")).toEqual(["--version"]);
});

test("bash offers files for other values, and nothing of another command", async () => {
  expect(await complete("up", "--plan", "")).toEqual([""]);
  expect(await complete("up", "--format")).toEqual([""]);
  expect((await docsOrg("completion", "bash")).stdout).toContain("complete -o bashdefault -o default -F");
});

/** What zsh offers for the last of these words: the functions of its completion system print what they are given. */
async function completeInZsh(...words: string[]): Promise<string[]> {
  const { stdout } = await docsOrg("completion", "zsh");
  const script = `compdef() { }
_files() { print FILES }
compadd() { shift; print -rl -- "$@" }
_describe() { local list="\${@[-1]}"; print -rl -- "\${(P@)list}" }
${stdout}
words=(docs-org ${words.map((word) => `'${word}'`).join(" ")}) CURRENT=${words.length + 1}
_docs_org`;
  return execFileSync("zsh", ["-f", "-c", script], { encoding: "utf8" }).trim().split("\n");
}

test.skipIf(!has("zsh") && !isCi())("zsh offers the same words with their descriptions (needs zsh)", async () => {
  const names = (lines: string[]) => lines.map((line) => line.split(":", 1)[0]);
  expect(names(await completeInZsh(""))).toEqual(expect.arrayContaining(["up", "take-over", "doctor", "--help"]));
  expect(await completeInZsh("preview", "--format", "")).toEqual(["text", "markdown", "html", "json"]);
  expect(await completeInZsh("preview", "--")).toContain("--format:output format");
  expect(await completeInZsh("emulate", "")).toContain("--version:version of the service\\: 0.146 or 0.202");
  expect(names(await completeInZsh("plugin", ""))).toEqual(expect.arrayContaining(["install", "help", "--help"]));
  expect(await completeInZsh("completion", "")).toEqual(expect.arrayContaining(["bash", "zsh", "fish"]));
  expect(await completeInZsh("up", "--plan", "")).toEqual(["FILES"]);
});

/** What fish offers at the end of a line. */
async function completeInFish(line: string): Promise<string[]> {
  const { stdout } = await docsOrg("completion", "fish");
  const script = `${stdout}\ncomplete -C '${line}'`;
  const offers = execFileSync("fish", ["--no-config", "-c", script], { encoding: "utf8" });
  return offers
    .trim()
    .split("\n")
    .map((offer) => offer.split("\t", 1)[0] ?? "");
}

test.skipIf(!has("fish") && !isCi())("fish offers the same words (needs fish)", async () => {
  expect(await completeInFish("docs-org pre")).toEqual(["preview"]);
  expect(await completeInFish("docs-org preview --f")).toEqual(["--fail-on", "--format"]);
  expect(await completeInFish("docs-org preview --format ")).toEqual(["html", "json", "markdown", "text"]);
  expect(await completeInFish("docs-org plugin ")).toEqual(["help", "install"]);
  expect(await completeInFish("docs-org completion z")).toEqual(["zsh"]);
});

test("zsh and fish have a line for each word", async () => {
  const zsh = (await docsOrg("completion", "zsh")).stdout;
  expect(zsh).toContain('    "preview --format") compadd -- text markdown html json; return ;;\n');
  expect(zsh).toMatch(/^ {4}"plugin"\) names=\('install:.*\); options=\('--help:display help for command'\) ;;$/m);
  const fish = (await docsOrg("completion", "fish")).stdout;
  expect(fish).toMatch(
    /^complete -c docs-org -n '__fish_seen_subcommand_from preview' -l format -x -a 'text markdown html json' -d '.*'$/m,
  );
  expect(fish).toMatch(
    /-n '__fish_seen_subcommand_from plugin; and not __fish_seen_subcommand_from install help' -f -a install /,
  );
});
