/** Returns the milliseconds of a `Retry-After` header, which is a number of seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(header: string | string[] | undefined, now: Date): number | undefined {
  if (typeof header !== "string") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const milliseconds = Date.parse(header) - now.getTime();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
