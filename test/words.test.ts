import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

/** Words that `docs/glossary.md` and plain English replace, with what to write instead. */
const refused: readonly { readonly word: RegExp; readonly instead: string }[] = [
  { word: /\bcan not\b/i, instead: "cannot" },
  { word: /\bwho(?:m|mever|ever|soever)\b/i, instead: "a noun: the person, the user, the resource" },
  { word: /\bshall\b/i, instead: "must" },
  { word: /\b(?:has|have|had) to (?!do\b)/i, instead: "must" },
  { word: /\b(?:not|no|nobody|nothing|never|none)\b[^.;:]{0,40}\bany ?more\b/i, instead: "no longer" },
  { word: /\bstrangers?\b|[a-z]Strangers?\b/i, instead: "unmanaged member, or non-member" },
  { word: /\blookalikes?\b/i, instead: "duplicate" },
  { word: /\bbehind (?:Pulumi|our|its|the engine)/i, instead: "outside Pulumi" },
  { word: /\b(?:give|gives|gave|given|giving) up\b|\blet(?:s|ting)? go\b/i, instead: "release" },
  { word: /\brivals?\b/i, instead: "second manager" },
  { word: /\b(?:standing|outlook|projection)\b/i, instead: "access plan" },
];

/** The wording of the service, of a licence, and of this list. */
const exempt = [/^LICENSE$/, /^test\/words\.test\.ts$/, /^test\/states\//, /^package-lock\.json$/];
/** Names that programs use, which stay: the emulator's option `readings.strangers`. */
const kept =
  /\bstrangers: (?:\[?"|reading)|\{ strangers \}|\bstrangers === "|\breading strangers\b|`strangers`|\bstrangers=invite/g;
const root = path.resolve(__dirname, "..");

it("uses the words of the glossary in sources, messages and pages", () => {
  const files = execFileSync("git", ["ls-files", "*.ts", "*.mts", "*.cjs", "*.md", "*.sh", "*.yaml"], { cwd: root })
    .toString()
    .split("\n")
    .filter((file) => file !== "" && !exempt.some((pattern) => pattern.test(file)));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) =>
    readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        refused.flatMap(({ word, instead }) => {
          const match = word.exec(line.replaceAll(kept, ""));
          return match ? [`${file}:${index + 1}: "${match[0]}": write ${instead}`] : [];
        }),
      ),
  );
  expect(found).toEqual([]);
});
