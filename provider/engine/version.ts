/** The oldest engine that the project is tested with. */
export const MINIMUM_VERSION = "3.259";

/** The version that is installed if no engine is found: the newest on the Go module proxy, so that every way installs the same one. */
export const ENGINE_VERSION = "3.259.0";

/** Whether `version` ("v3.259.0", "go1.26.8", "3.260.0-alpha.1") is `minimum` or newer; only major and minor count. */
export function isAtLeast(version: string, minimum: string): boolean {
  const [major, minor] = majorAndMinor(version);
  const [leastMajor, leastMinor] = majorAndMinor(minimum);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

function majorAndMinor(version: string): [number, number] {
  const match = /(\d+)\.(\d+)/.exec(version);
  return match ? [Number(match[1]), Number(match[2])] : [0, 0];
}
