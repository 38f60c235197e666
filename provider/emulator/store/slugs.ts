/** `Release notes!` -> `release-notes`. */
export function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return slug.slice(0, 90) || "untitled";
}

/** A slug that none of its siblings has; remembers it in `taken`. */
export function uniqueSlug(title: string, taken: Set<string>): string {
  const slug = slugOf(title);
  let candidate = slug;
  for (let number = 1; taken.has(candidate); number++) candidate = `${slug}-${number}`;
  taken.add(candidate);
  return candidate;
}
