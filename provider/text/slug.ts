interface Options {
  /** Which letters and digits stay; anything else becomes a hyphen. */
  readonly keeps: "ASCII" | "all";
  /** Characters. */
  readonly longest: number;
}

/** `Release notes!` -> `release-notes`; empty if nothing of the title stays. */
export function slugOf(title: string, { keeps, longest }: Options): string {
  const lower = title.slice(0, 500).toLowerCase();
  const spelled = keeps === "ASCII" ? lower.replace(/ß/g, "ss") : lower;
  const plain = spelled.normalize("NFKD").replace(/\p{M}/gu, "");
  const parts = plain.match(keeps === "ASCII" ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
  return parts.join("-").slice(0, longest).replace(/-$/, "");
}
