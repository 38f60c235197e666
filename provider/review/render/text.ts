import { counted, rendered, type SafeText } from "../../text/safe-text";
import { inert, visible } from "../../text/visible";
import type { Message, Review } from "../model/review";
import { aboutWords, type Entry, limitsOf, type Section, sectionsOf } from "./sections";
import { kindCounts } from "./severity";

export function textOf(review: Review): string {
  return [headOf(review), refusalsOf(review.refusals), ...sectionsOf(review).map(sectionText)]
    .filter(Boolean)
    .join("\n")
    .split("\n")
    .map(inert)
    .join("\n");
}

function headOf(review: Review): string {
  const about = [marked(aboutWords(review)), ...limitsOf(review)].filter(Boolean);
  return `${marked(review.verdict.words)}\n${about.join(" ")}\n`;
}

function refusalsOf(refusals: readonly Message[]): string {
  return refusals.map(refusalText).join("");
}

function refusalText({ text, resource }: Message): string {
  const lines = text.trimEnd().split("\n");
  const about = resource === undefined ? [] : [`${visible(resource)}:`];
  return [...about, ...lines.map((line) => visible(line, 1000))].map((line) => `  ${line}\n`).join("");
}

/** The rest is in the other formats. */
const mostEntries = 1_000;

function sectionText({ title, symbol, one, many, entries }: Section): string {
  const left = entries.length - mostEntries;
  const kinds = marked(kindCounts(entries.slice(mostEntries)));
  const more = left > 0 ? [`  … and ${counted(left, one, many)} more${kinds}; --format json shows everything\n`] : [];
  const shown = entries.slice(0, mostEntries).map(entryText);
  return `${symbol} ${title} (${entries.length.toLocaleString("en-US")})\n${[...shown, ...more].join("")}`;
}

const entryText = ({ text, severity }: Entry): string => `  ${severity ? `${severity}: ` : ""}${marked(text)}\n`;

/** Words and values without characters that move the cursor or hide the text around them. */
const marked = (text: SafeText): string =>
  rendered(
    text,
    "whole",
    (word) => visible(word, 1000),
    (value) => visible(value),
  );
