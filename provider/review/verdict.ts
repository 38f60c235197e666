import type { Message } from "../report/report";
import { becomesPublic } from "../resources/site/review";
import { counted, plain, type SafeText } from "../text/safe-text";
import { firstLineOfExisting } from "../text/shared-sentences";
import { type Access, type Group, groupOf } from "./model/access";
import { isSetBack } from "./model/properties";
import type { Content, Verdict } from "./model/review";
import type { Risk } from "./model/risk";

/** The first line: the meaning of the preview in one sentence. */
export function verdictOf(content: Content & { readonly risks: readonly Risk[] }): Verdict {
  const { people, risks, refusals } = content;
  const count = (group: Group) => people.filter(({ access }) => access.some((one) => groupOf(one) === group)).length;
  const numbers = { gains: count("gains"), loses: count("loses"), setBack: count("drift"), risks: risks.length };
  if (refusals.length > 0) return { kind: "refused", ...textOf([refusedText(refusals)]), ...numbers };
  const opened = content.sites.filter(becomesPublic).length;
  const access = accessTexts(count, content, opened);
  const changes = [...access, ...otherTexts(count, content)];
  const toLookAt = risks.length > 0 ? [`${counted(risks.length, "risk")} to look at`] : [];
  if (changes.length === 0 && !risks.some(isOfChange)) {
    const sentences = [...toLookAt, nothingText(content, count("record"))];
    return { kind: risks.length > 0 ? "risky" : "none", ...textOf([sentences.join(". ")]), ...numbers };
  }
  const what = [...(access.length === 0 ? ["no change of access"] : []), ...changes].join(", ");
  const text = [...toLookAt, what].join(": ");
  return {
    kind: risks.length > 0 ? "risky" : "changes",
    ...textOf([`${text[0]?.toUpperCase()}${text.slice(1)}.`]),
    ...numbers,
  };
}

/** An undeclared administrator is a finding, and no change. */
export const isOfChange = ({ kind }: Risk): boolean => kind !== "undeclared-administrator";

type Count = (group: Group) => number;

const isReleased = (one: Access): boolean => groupOf(one) === "released";

function accessTexts(count: Count, { risks }: { readonly risks: readonly Risk[] }, opened: number): string[] {
  const [gains, loses, setBack, changes] = [count("gains"), count("loses"), count("drift"), count("changes")];
  return [
    ...(gains > 0 ? [counted(gains, "person gains access", "people gain access")] : []),
    ...(loses > 0 ? [counted(loses, "person loses access", "people lose access")] : []),
    ...(setBack > 0 ? [`manual changes for ${counted(setBack, "person", "people")} are set back`] : []),
    ...(changes > 0 ? [`the access of ${counted(changes, "person", "people")} changes`] : []),
    ...(opened > 0 ? [counted(opened, "site becomes public", "sites become public")] : []),
    ...(risks.some(({ kind }) => kind === "sign-in-default") ? ["the defaults at sign-in change"] : []),
  ];
}

function otherTexts(count: Count, content: Content): string[] {
  const { people, grantEnds, saml, sites, translations, others } = content;
  const later = grantEnds.filter(({ beginsLater }) => beginsLater).length;
  const ends = grantEnds.length - later;
  const [taken, accepted] = [count("taken"), count("accepted")];
  const released = people.filter(({ access }) => access.some(isReleased));
  // The role or the teams of these people stay managed.
  const marks = released.filter(({ access }) => access.filter(isReleased).every(({ place }) => place.kind === "sso"));
  const unmanaged = released.length - marks.length;
  const resources = [saml, sites, translations, others].flat().filter((one) => !becomesPublic(one));
  const setBack = resources.filter(isSetBack).length;
  const changed = resources.length - setBack;
  const keeps = (state: string, number: number) =>
    counted(number, `person is ${state} and keeps access`, `people are ${state} and keep access`);
  return [
    ...(unmanaged > 0 ? [keeps("no longer managed", unmanaged)] : []),
    ...(marks.length > 0
      ? [`the single sign-on of ${counted(marks.length, "person", "people")} is no longer managed`]
      : []),
    ...(taken > 0 ? [keeps("managed from now on", taken)] : []),
    ...(accepted > 0 ? [`manual changes for ${counted(accepted, "person", "people")} are declared from now on`] : []),
    ...(ends > 0 ? [`the end or release of ${counted(ends, "grant")} changes`] : []),
    ...(later > 0 ? [counted(later, "grant begins later", "grants begin later")] : []),
    ...(setBack > 0 ? [`manual changes of ${counted(setBack, "resource")} are set back`] : []),
    ...(changed > 0 ? [counted(changed, "other change")] : []),
  ];
}

const textOf = (text: SafeText) => ({ text: plain(text), words: text });

/** Messages of errors that no declaration has caused. */
const failure =
  /^(could not |the service also answers |there is no (token|address)|\d+ other resources fail )|failed with an unhandled exception/;

/** Whether the preview failed or was refused. Each of the reasons follows in full. */
export const howItEnded = (refusals: readonly Message[]): string =>
  refusals.every(({ text }) => failure.test(text)) ? "the preview failed" : "the preview was refused";

/** Objects that exist already explain the other reasons, so they come first. Otherwise, a sentence says how the preview ended. */
const refusedText = (refusals: readonly Message[]): string => {
  const [existing] = refusals.flatMap(({ text }) => firstLineOfExisting.exec(text) ?? []);
  return existing === undefined ? `T${howItEnded(refusals).slice(1)}.` : `${existing}.`;
};

function nothingText({ moved, refreshed }: Content, records: number): string {
  const unseen = refreshed ? "" : "; drift was not checked";
  if (records > 0)
    return `Nothing changes at the service: only the record of ${counted(records, "person", "people")} goes${unseen}.`;
  const start = moved.length > 0 ? "Resources move, and nobody's access changes" : "Nothing changes";
  return `${start}${refreshed ? "" : " in the state"}${unseen}.`;
}
