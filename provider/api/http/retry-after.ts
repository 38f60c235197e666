/** The service is asked again after this, however much longer it says. */
const longestPause = 300_000;

/** Milliseconds that a `Retry-After` header asks for: seconds or a date, as the HTTP standard has it. */
export function retryAfterOf(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : Math.min(seconds * 1000, longestPause);
  const milliseconds = Date.parse(header) - now.getTime();
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(0, milliseconds), longestPause);
}
