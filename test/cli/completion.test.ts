import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { docsOrg } from "../change-requests/support";

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

test("zsh runs the script of bash, and fish has a line for each word", async () => {
  const { stdout: bash } = await docsOrg("completion", "bash");
  expect((await docsOrg("completion", "zsh")).stdout).toBe(`autoload -U +X bashcompinit && bashcompinit\n${bash}`);
  const fish = (await docsOrg("completion", "fish")).stdout;
  expect(fish).toMatch(
    /^complete -c docs-org -n '__fish_seen_subcommand_from preview' -l format -x -a 'text markdown html json' -d '.*'$/m,
  );
  expect(fish).toMatch(
    /-n '__fish_seen_subcommand_from plugin; and not __fish_seen_subcommand_from install help' -f -a install /,
  );
});
