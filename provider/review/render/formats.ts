import { formatsOf } from "../../report/formats";
import type { Report } from "../../report/report";
import { listFirst, type SafeText, safeText, trusted } from "../../text/safe-text";
import type { Review } from "../model/review";
import { matrixOf } from "./matrix";
import { sectionsOf } from "./sections";

export const reviewFormats = formatsOf(reportOf, matrixOf);
export const { text: textOf, markdown: markdownOf, html: htmlOf } = reviewFormats;

function reportOf(review: Review): Report {
  const { project, stack, verdict, refusals } = review;
  return {
    marker: ["review", project, stack],
    title: `Access review of ${project}/${stack}`,
    kind: verdict.kind,
    verdict: verdict.words,
    about: aboutWords(review),
    notes: [...limitsOf(review).map((limit) => [limit]), ...unguardedWords(review)],
    reasons: refusals.map(({ text, ...one }) => ({ ...one, text: withoutFirstLine(text, verdict.text) })),
    sections: sectionsOf(review),
    leftOut: ["people and objects that this stack does not manage"],
  };
}

/** The verdict may be the first line of a refusal. */
const withoutFirstLine = (text: string, verdict: string): string =>
  text.startsWith(verdict.replace(/[.]$/, ":\n")) ? text.slice(verdict.length + 1) : text;

/** The stack and its organizations; nothing if a failed preview does not say. */
function aboutWords({ project, stack, organizations }: Review): SafeText {
  if (project === "") return [];
  const organization = organizations.length > 0 ? safeText`, organization ${listFirst(organizations, 5)}` : [];
  return safeText`Stack ${`${project}/${stack}`}${organization}.`;
}

/** Said beside a change only: a declaration that stays as it is would repeat it every night. */
function unguardedWords({ unguarded, verdict }: Review): SafeText[] {
  const advice = trusted("declare guards: { minAdmins: 2, maxRemovals: 25% }.");
  const ids = verdict.kind === "none" ? [] : unguarded;
  return ids.map((id) => safeText`No guards limit the changes of organization ${id}; ${advice}`);
}

/** The limits of the preview that a reader must know. */
function limitsOf({ refreshed, partial, refusals, people }: Review): string[] {
  return [
    ...(refusals.length > 0
      ? ["The preview stopped: this review is incomplete, and manual changes may be missing."]
      : []),
    ...(partial ? ["The preview covers only a part of the stack (--target or --exclude)."] : []),
    ...(refreshed
      ? []
      : ["The preview did not check for drift (no --refresh): the live values are those of the state."]),
    ...(people.some(({ hidden }) => hidden) ? ["Some people are hidden: secret, or known only during the up."] : []),
  ];
}
