import { sectionList } from "../organization/sections";
import { counted } from "../text/words";
import { countedOf, kindNames, percentText } from "./coverage";
import type { Audit, Verdict } from "./report";

/** The first line: the unmanaged objects in one sentence. */
export function verdictOf({ unmanaged, coverage, hidden, shared, gone }: Omit<Audit, "verdict">): Verdict {
  const { total } = coverage;
  const conflicts = [
    ...(shared.length > 0 ? [`${counted(shared.length, "thing is", "things are")} declared by several stacks`] : []),
    ...(gone.length > 0 ? [`${counted(gone.length, "declared thing is", "declared things are")} not live`] : []),
  ];
  const kind = conflicts.length > 0 ? "conflicting" : "complete";
  const but = conflicts.length > 0 ? ` But ${conflicts.join(", and ")}.` : "";
  if (total.there === 0) return { kind, text: `There is nothing to declare.${but}` };
  if (total.declared === total.there) {
    const there = kindNames
      .filter((kind) => coverage[kind].there > 0)
      .map((kind) => countedOf(kind, coverage[kind].there));
    return { kind, text: `Everything is declared: ${there.join(", ")}.${but}` };
  }
  const left = sectionList.flatMap(({ audit }) => {
    const found: readonly unknown[] = unmanaged[audit.kind];
    return found.length > 0 ? [`${countedOf(audit.kind, found.length)}${audit.noteUnmanaged?.(found) ?? ""}`] : [];
  });
  // Secret declarations may declare some of the unmanaged objects.
  const secret =
    hidden === 0
      ? ""
      : ` ${counted(hidden, "declaration is", "declarations are")} secret in the state, and not compared.`;
  const text = `No stack manages ${left.join(", ")}; ${percentText(total)} is declared.${secret}`;
  return { kind: "unmanaged", text };
}
