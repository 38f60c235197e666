import { DocsError } from "../../api/http/errors";
import { findOrganization } from "../../deployment/project";
import { checkBackend } from "../../doctor/backend";
import type { Check } from "../../doctor/check";
import { checkEnds } from "../../doctor/ends";
import { checkEngine, checkNode, checkPlugin, checkVariables } from "../../doctor/machine";
import { checkService } from "../../doctor/service";
import { presentable } from "../../run/presentation";
import { Run } from "../../run/run";
import { counted } from "../../text/safe-text";
import { print } from "../output";

export async function doctor({ format }: { readonly format: "text" | "json" }): Promise<void> {
  const findings = await examine(process.cwd(), process.env);
  await print(format === "json" ? `${JSON.stringify(findings, undefined, 2)}\n` : textOf(findings));
  const count = findings.filter(({ status }) => status === "wrong").length;
  if (count > 0) throw new DocsError(`${counted(count, "check")} failed`);
}

const marks = { ok: "OK", note: "NOTE", wrong: "WRONG", skipped: "-" } as const;

function textOf(findings: readonly Check[]): string {
  const widest = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.map(({ name, status, text }) => {
    // The mark has 5 characters, and 2 spaces follow it and the name.
    const margin = `\n${" ".repeat(widest + 9)}`;
    return `${marks[status].padEnd(5)}  ${name.padEnd(widest)}  ${presentable(text).replaceAll("\n", margin)}\n`;
  });
  return lines.join("");
}

/** Checks everything that the commands need, in a folder. Changes nothing. */
async function examine(root: string, environment: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const run = new Run();
  const { engine, findings } = await checkEngine(environment);
  const service = await checkService(run, findOrganization(root));
  const isReadable = service.some(({ name, status }) => name === "token" && status === "ok");
  return [
    checkNode(),
    ...findings,
    checkPlugin(environment),
    ...service,
    await checkEnds(root, run, isReadable),
    await checkBackend(root, environment, engine),
    ...checkVariables(environment),
  ];
}
