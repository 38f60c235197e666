/** `Release notes!` -> `release-notes`, from the letters and digits that `keeps` names; empty if nothing of the title stays. */
export function slugOf(title: string, keeps: "ASCII" | "all", longest: number): string {
  const lower = title.slice(0, 500).toLowerCase();
  const spelled = keeps === "ASCII" ? lower.replace(/ß/g, "ss") : lower;
  const plain = spelled.normalize("NFKD").replace(/\p{M}/gu, "");
  const parts = plain.match(keeps === "ASCII" ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
  return parts.join("-").slice(0, longest).replace(/-$/, "");
}
