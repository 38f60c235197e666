import { readFileSync } from "node:fs";
import path from "node:path";

/** A mistake that a colleague may make, and a test that fails because of it. */
export interface PlantedFault {
  readonly file: string;
  /** What the colleague thought. */
  readonly thought: string;
  readonly test: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Reads `planted.txt`: after the line of a file (`## access/quorum.ts`), each fault has a thought with its test
 * (`# Two losses do no harm. (lifecycle/quorum)`), and the lines that are replaced (`- `) by others (`+ `).
 */
export function plantedFaults(): PlantedFault[] {
  const [, ...files] = readFileSync(path.join(__dirname, "planted.txt"), "utf8").split(/^## /m);
  return files.flatMap((text) => {
    const [file = "", ...faults] = text.split(/\n# /);
    return faults.map((fault): PlantedFault => {
      const [title = "", ...lines] = fault.split("\n");
      const linesWith = (sign: string) =>
        lines.flatMap((line) => (line.startsWith(`${sign} `) ? line.slice(2) : [])).join("\n");
      const [, thought = "", test = ""] = /^(.*) \((\S+)\)$/.exec(title) ?? [];
      return {
        file: `provider/${file}`,
        thought,
        test: `test/${test}.test.ts`,
        before: linesWith("-"),
        after: linesWith("+"),
      };
    });
  });
}
