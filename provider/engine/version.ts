/** The oldest engine that the project is tested with. */
export const MINIMUM_VERSION = "3.259";

/** The version that is installed if no engine is found: the newest on the Go module proxy, so that every way installs the same one. */
export const ENGINE_VERSION = "3.259.0";

/** Whether `version` ("3.259.0", "go1.26.8", "3.260.0-alpha.1") is `minimum` or newer. */
export const isAtLeast = (version: string, minimum: string): boolean =>
  version.replace(/^\D*/, "").localeCompare(minimum, "en", { numeric: true }) >= 0;
