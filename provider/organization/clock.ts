import { DocsError } from "../api/http/errors";
import { quoted } from "../text/mistakes";

const variable = "DOCS_NOW";

/** The time that decides which grants have ended: the current time, unless a test of a program sets DOCS_NOW. */
export function now(): Date {
  const text = process.env[variable]?.trim();
  if (!text) return new Date();
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time;
  throw new DocsError(
    `the environment variable ${variable} is ${quoted(text)}; use a time such as 2027-01-31T12:00:00Z`,
  );
}
