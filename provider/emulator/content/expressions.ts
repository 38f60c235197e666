import type { Variables } from "../../api/groups/revisions";

/** `true` evaluates every expression, `deterministic-only` those whose inputs are known without a visitor. */
export type Evaluation = boolean | "deterministic-only" | undefined;

/**
 * Replaces the expressions of a page: `{{ space.vars.NAME }}`, `{{ page.vars.NAME }}`, and `{{ visitor.claims.NAME }}`,
 * which becomes empty. Other texts in double braces stay unchanged.
 */
export function evaluate(
  markdown: string,
  evaluation: Evaluation,
  vars: { space: Variables; page: Variables },
): string {
  if (!evaluation) return markdown;
  return markdown.replace(
    /\{\{\s*(space|page|visitor)\.(vars|claims)\.([\w-]+)\s*\}\}/g,
    (whole, scope, kind, name) => {
      if (scope === "visitor" && kind === "claims") return evaluation === true ? "" : whole;
      const known: Variables = scope === "space" ? vars.space : vars.page;
      return kind === "vars" && Object.hasOwn(known, name) ? String(known[name]) : whole;
    },
  );
}
