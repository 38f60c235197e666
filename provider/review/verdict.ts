import { nothing } from "../access-plan/place";
import { sameReason } from "../text/elsewhere";
import { counted, plain, type Words } from "../text/words";
import { type Access, type Effect, isAccepted, isLeft, isSetBack, isTaken } from "./model/access";
import type { Content, Message, Verdict } from "./model/review";
import type { Risk } from "./model/risk";

/** The first line: the meaning of the preview in one sentence. */
export function verdictOf(content: Content & { readonly risks: readonly Risk[] }): Verdict {
  const { people, risks, refusals, signIns } = content;
  const having = (chosen: (access: Access) => boolean) => people.filter(({ access }) => access.some(chosen)).length;
  const of = (wanted: Effect) => having((access) => access.effect === wanted && !isSetBack(access));
  const [gains, loses, changes] = [of("gains"), of("loses"), of("changes")];
  const setBack = having(isSetBack);
  const released = having((one) => isLeft(one) && one.after !== nothing);
  const taken = having(isTaken);
  const accepted = having(isAccepted);
  const resources = [...content.sites, ...content.translations, ...content.others].length;
  const numbers = { gains, loses, setBack, risks: risks.length };
  if (refusals.length > 0) return { kind: "refused", ...textOf([refusedText(refusals)]), ...numbers };
  const access = [
    ...(gains > 0 ? [`${counted(gains, "person", "people")} ${gains === 1 ? "gains" : "gain"} access`] : []),
    ...(loses > 0 ? [`${counted(loses, "person", "people")} ${loses === 1 ? "loses" : "lose"} access`] : []),
    ...(setBack > 0 ? [`manual changes for ${counted(setBack, "person", "people")} are set back`] : []),
    ...(changes > 0 ? [`the access of ${counted(changes, "person", "people")} changes`] : []),
    ...(signIns.length > 0 ? ["the defaults at sign-in change"] : []),
  ];
  const none = access.length === 0;
  const ends = content.grantEnds.length;
  if (none && resources + released + accepted + taken + ends === 0 && risks.length === 0)
    return { kind: "none", ...textOf([nothingText(content)]), ...numbers };
  const rest = [
    ...(released > 0
      ? [
          `${counted(released, "person is", "people are")} no longer managed and ${released === 1 ? "keeps" : "keep"} access`,
        ]
      : []),
    ...(taken > 0
      ? [
          `${counted(taken, "person is", "people are")} managed from now on and ${taken === 1 ? "keeps" : "keep"} access`,
        ]
      : []),
    ...(accepted > 0 ? [`manual changes for ${counted(accepted, "person", "people")} are declared from now on`] : []),
    ...(ends > 0 ? [`the end or release of ${counted(ends, "grant")} changes`] : []),
    ...(resources > 0 ? [counted(resources, "other change")] : []),
  ];
  const what = [...(none ? ["no change of access"] : access), ...rest].join(", ");
  const start = risks.length > 0 ? `${counted(risks.length, "risk")} to look at: ` : "";
  const text = `${start}${what}`;
  const sentence = `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  return { kind: risks.length > 0 ? "risky" : "changes", ...textOf([sentence]), ...numbers };
}

const textOf = (text: Words) => ({ text: plain(text), words: text });

/** The number of reasons; each of them follows in full. */
function refusedText(refusals: readonly Message[]): string {
  const count = refusals.reduce((sum, one) => sum + countMistakes(one), 0);
  if (refusals.every(({ text }) => failure.test(text))) return `The preview failed: ${counted(count, "error")}.`;
  return `Refused: ${counted(count, "mistake")}.`;
}

/** Something failed, so nobody made a mistake in a declaration. */
const failure = /^could not |failed with an unhandled exception/;

/** One refusal of an organization names all of its mistakes: each with its place in a file, or in a line of its own. */
function countMistakes({ text, resource = "" }: Message): number {
  if (text.includes(sameReason)) return 0;
  const lines = text.split("\n").filter((line) => /^\S/.test(line));
  const placed = lines.filter((line) => /:\d+:\d+: /.test(line)).length;
  const isOrganization = resource.startsWith("Organization ") && !failure.test(text);
  return placed || (isOrganization ? lines.length : 1);
}

function nothingText({ moved, refreshed }: Content): string {
  const start = moved.length > 0 ? "Resources move, and nobody's access changes" : "Nothing changes";
  return refreshed ? `${start}.` : `${start} in the state; drift was not checked.`;
}
