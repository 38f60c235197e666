import { z } from "zod";
import { listNames } from "../../access/carry-out";
import type { AccessPlan } from "../../access-plan/access-plan";
import { beginningOf, daysLeft, endOf, endsWithin, momentWords, restoreAfter } from "../../access-plan/grants";
import { userKey } from "../../people/user";
import type { ReportSection } from "../../report/report";
import { describeExpiries, endsOfCertificates } from "../../resources/saml-provider/certificate";
import { jsonIn } from "../../run/files";
import { visible } from "../../text/visible";
import type { NotedGrant } from "./component-notes";
import type { Preview } from "./preview";

/** What begins or ends soon: grants, certificates, and a token that says so. Every report takes its sentences from here. */
export interface End {
  readonly kind: "grant begins" | "grant ends" | "grant has ended" | "certificate" | "token";
  /** A day or a time. */
  readonly on: string;
  readonly text: string;
}

export interface Within {
  readonly now: Date;
  /** In milliseconds. */
  readonly period: number;
}

/** What an audit and the doctor list. */
export const usualPeriod = 30 * 86_400_000;

interface Ending {
  readonly grants: readonly NotedGrant[];
  /** Whether somebody still has what a grant gave. Without it, no ended grant is listed. */
  readonly isGiven?: ((grant: GrantLine) => boolean) | undefined;
  /** Whether these are grants of a state, which the next up ends. */
  readonly areRecorded?: boolean;
  /** SAML providers. A certificate that cannot be read has no end. */
  readonly providers: readonly { readonly label: string; readonly certificate?: string | undefined }[];
  readonly token?: string | undefined;
}

/** The earliest first. */
export function listEnds({ grants, providers, token, ...known }: Ending, within: Within): End[] {
  const all = [
    ...grants.flatMap((grant) => endsOfGrant(grant, within, known)),
    ...providers.flatMap(({ label, certificate = "" }) =>
      describeExpiries(endsOfCertificates(certificate), ` of SAML provider "${visible(label)}"`, within).map(
        (one): End => ({ kind: "certificate", ...one }),
      ),
    ),
    ...endOfToken(token, within),
  ];
  const timeOf = ({ on, kind }: End) => (kind === "grant begins" ? beginningOf(on) : endOf(on));
  return all.sort((a, b) => timeOf(a) - timeOf(b));
}

function endsOfGrant(
  { expires: on, then = "remove", role = "", ...line }: NotedGrant,
  within: Within,
  { isGiven = () => false, areRecorded = true }: Pick<Ending, "isGiven" | "areRecorded">,
): End[] {
  const grant = { role, ...line };
  const beginnings = describeBeginning(grant, within).map((text): End => {
    return { kind: "grant begins", on: grant.from ?? "", text };
  });
  const isStillGiven = () => then !== role && isGiven(grant);
  if (on === undefined || !endsWithin({ expires: { on, then } }, within, isStillGiven)) return beginnings;
  const ending = endingGrant(grant, { on, then }, within.now);
  const text = describeEndingGrant(ending, { isRecorded: areRecorded, isGiven: true });
  return [...beginnings, { kind: ending.days < 0 ? "grant has ended" : "grant ends", on, text }];
}

/** Whether the state still gives a grant. */
export const isGivenIn =
  ({ subjects }: AccessPlan) =>
  ({ user, team, role }: GrantLine): boolean =>
    subjects.some(({ person: { keys }, place, before, recordedBy, state }) => {
      const isPerson = state === "active" && keys.includes(userKey(user));
      return isPerson && place.team === team && before === role && recordedBy.length > 0;
    });

/** The nightly job of the examples finds them in Markdown by their symbol. */
export function endsSections(ends: readonly End[]): ReportSection[] {
  const [ended, others] = [ends.filter(hasEnded), ends.filter((one) => !hasEnded(one))];
  return [
    {
      id: "ended",
      symbol: "◷",
      title: endedTitle,
      entries: ended.map(({ text }) => ({ text: [text], severity: "high" })),
    },
    { id: "ends", symbol: "◷", title: "Begins or ends soon", entries: others.map(({ text }) => ({ text: [text] })) },
  ];
}

/** Nobody has ended the grant yet. */
export const hasEnded = ({ kind }: End): boolean => kind === "grant has ended";

export const endedTitle = "Grants that have ended and are still given";

/** A token says its end if it is a JSON Web Token (RFC 7519, 4.1.4). The service may refuse it earlier. */
function endOfToken(token = "", { now, period }: Within): End[] {
  const payload = jsonIn(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const { exp } = z.object({ exp: z.int().max(253_402_300_799) }).safeParse(payload).data ?? {};
  if (exp === undefined || exp * 1000 > now.getTime() + period) return [];
  const on = new Date(exp * 1000).toISOString();
  return [{ kind: "token", on, text: `the token ends at ${on.slice(0, 16)}Z: make a new one before` }];
}

export const providersIn = (resources: Preview["resources"]): Ending["providers"] =>
  resources
    .filter(({ type, isOwn }) => isOwn && type === "SamlProvider")
    .map(({ name, declared }) => ({
      label: String(declared?.label ?? name),
      certificate: String(declared?.certificate ?? ""),
    }));

interface GrantLine {
  readonly user: string;
  /** Id of the team; omitted for the role in the organization. */
  readonly team?: string | undefined;
  readonly role: string;
}

export interface EndingGrant extends GrantLine {
  readonly allowRaise?: true | undefined;
  readonly on: string;
  readonly becomes: string;
  /** Days until the last day: 0 on that day, negative after it. */
  readonly days: number;
}

export interface Held {
  /** Whether the state has the grant. The up that releases the person removes it from the state. */
  readonly isRecorded: boolean;
  /** No up has ended it yet. */
  readonly isGiven?: true;
  /** Whether the person has the granted level at the service. */
  readonly isLive?: boolean;
  readonly previous?: string | undefined;
  /** Ids of the teams that still declare the person, although the end of the grant removes the person from the organization. */
  readonly stillIn?: readonly string[];
}

export const endingGrant = (
  grant: GrantLine,
  { on, then }: { readonly on: string; readonly then: string },
  now: Date,
): EndingGrant => ({ ...grant, on, becomes: then, days: daysLeft(on, now) });

const grantWords = ({ team, role, user }: GrantLine): string =>
  `the grant of ${team === undefined ? `the role ${role}` : `${role} of team ${team}`} to ${user}`;

export function describeBeginning(
  { from, ...grant }: GrantLine & { readonly from?: string | undefined },
  { now, period }: Within,
): string[] {
  const left = from === undefined ? 0 : beginningOf(from) - now.getTime();
  if (from === undefined || left <= 0 || left > period) return [];
  return [`${grantWords(grant)} begins ${momentWords(from)}: until then, ${grant.user} keeps the present access`];
}

/** The role after the end of a grant that restores the previous role; `undefined` if that role is not known. */
export const restoredIn = ({ role, allowRaise }: EndingGrant, { previous }: Held) =>
  previous === undefined ? undefined : restoreAfter(role, previous, allowRaise === true);

export function describeEndingGrant(ending: EndingGrant, held: Held): string {
  const { user, on, becomes, days } = ending;
  const { isRecorded, isGiven, isLive, stillIn = [] } = held;
  const grant = grantWords(ending);
  const more =
    stillIn.length === 0 ? "" : `; the file still has ${user} in ${listNames(stillIn)}: remove that line as well`;
  const consequence = `${describeConsequence(ending, held)}${more}`;
  const when = ["today", "tomorrow"][days] ?? `in ${days} days`;
  if (days >= 0) return `${grant} ends ${momentWords(on)}, ${when}: ${user} then ${consequence}`;
  const ended = `${grant} ended ${momentWords(on)}`;
  if (isGiven) return `${ended}, ${stillGivenWords({ isRecorded })}`;
  if (becomes !== "remove" && becomes !== "restore")
    return `${ended}: declare ${becomes}, which follows it (docs-org tidy)`;
  if (isRecorded) return `${ended}: ${user} now ${consequence}`;
  if (isLive)
    return `${ended}, and ${user} still has it, which the state does not record: take it away in the app, or declare what applies now${more}`;
  const effect = stillIn.length === 0 ? ", and has no effect" : "";
  return `${ended}${effect}: remove the line (docs-org tidy), or declare the role that applies now${more}`;
}

/** If nothing shows that the state has the grant, a preview says more. */
export const stillGivenWords = ({ isRecorded }: { readonly isRecorded: boolean }): string =>
  isRecorded
    ? "and is still given: the next up ends it, such as docs-org up --only grants"
    : "and is still given: docs-org up --only grants ends it; if not, docs-org preview says why";

function describeConsequence(ending: EndingGrant, held: Held): string {
  const { becomes, team, role } = ending;
  if (becomes === "remove") return `is removed from ${team === undefined ? "the organization" : "the team"}`;
  if (becomes === "guest") return "becomes a guest";
  if (becomes !== "restore") return team === undefined ? `gets the role ${becomes}` : `becomes ${becomes}`;
  const { previous } = held;
  const reason = restoredIn(ending, held)?.reason;
  if (reason === undefined) return "gets back the previous role";
  if (reason === "would raise")
    return `keeps the role ${role}, because the previous role (${previous}) is higher: add allowRaise: true to the grant, or declare the role that follows instead of restore`;
  if (reason === "same")
    return `keeps the role ${role}, which is the previous role: declare the role that follows instead of restore`;
  return `gets back the previous role (${previous})`;
}
