import { counted } from "../review/words";
import type { Audit } from "./audit";
import { countedOf, kindNames, percentText } from "./coverage";
import type { Unmanaged } from "./unmanaged";

export interface Verdict {
  readonly kind: "complete" | "unmanaged";
  readonly text: string;
}

/** The first line: what is not declared, in one sentence. */
export function verdictOf(unmanaged: Unmanaged, coverage: Audit["coverage"], hidden: number): Verdict {
  const { total } = coverage;
  if (total.there === 0) return { kind: "complete", text: "There is nothing to declare." };
  if (total.declared === total.there) {
    const there = kindNames
      .filter((kind) => coverage[kind].there > 0)
      .map((kind) => countedOf(kind, coverage[kind].there));
    return { kind: "complete", text: `Everything is declared: ${there.join(", ")}.` };
  }
  const administrators = unmanaged.roles.filter(({ role }) => role === "admin").length;
  const note = administrators > 0 ? ` (${counted(administrators, "administrator")})` : "";
  const left = kindNames
    .filter((kind) => unmanaged[kind].length > 0)
    .map((kind) => `${countedOf(kind, unmanaged[kind].length)}${kind === "roles" ? note : ""}`);
  // They may declare some of it, and nobody can tell.
  const secret =
    hidden === 0
      ? ""
      : ` ${counted(hidden, "declaration is", "declarations are")} secret in the state, and not compared.`;
  const text = `No code declares ${left.join(", ")}; ${percentText(total)} is declared.${secret}`;
  return { kind: "unmanaged", text };
}
