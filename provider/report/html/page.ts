import { createHash } from "node:crypto";
import { style } from "./style";
import { safe } from "./text";

export interface Page {
  readonly title: string;
  /** HTML with escaped values, like `main`. */
  readonly head: string;
  readonly main: readonly string[];
  readonly script?: string | undefined;
}

export function pageOf({ title, head, main, script }: Page): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policyWith(script)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    `<title>${safe(title)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    head,
    "<main>",
    ...main,
    "</main>",
    ...(script === undefined ? [] : [`<script>${script}</script>`]),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Only our own style and script run, and nothing is fetched. */
const policyWith = (script: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${script === undefined ? "'none'" : hashOf(script)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
