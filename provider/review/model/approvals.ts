import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Place } from "../../access-plan/place";
import type { ReportSection } from "../../report/report";
import { joined, listFirst, safeText } from "../../text/safe-text";
import { groupOf, type PersonReview } from "./access";
import { notesOf } from "./component-notes";
import type { GrantEnd } from "./grant-ends";
import type { Preview } from "./preview";

/** An approval that the file asks for: by one of these people. */
export interface Approval {
  /** A role, or the id of a team. */
  readonly what: string;
  /** Logins at the service that has the pull requests. */
  readonly approvers: readonly string[];
  /** Who would get the access. */
  readonly people: readonly string[];
  /** The approvers from now on, if the change replaces them. Without any, nobody is asked from then on. */
  readonly becomes?: readonly string[];
}

const approversSchema = z.record(z.string(), z.array(z.string())).catch({});

const sorted = (logins: readonly string[]) => logins.map((one) => one.toLowerCase()).sort();

/** The recorded approvers count, so that a change cannot choose its own. A role or team without any has the declared ones. */
export function approvalsOf(
  preview: Preview,
  { people, grantEnds }: { readonly people: readonly PersonReview[]; readonly grantEnds: readonly GrantEnd[] },
): Approval[] {
  const approversOn = (side: "declared" | "recorded") =>
    new Map(notesOf(preview, side).map((one) => [one.organization, approversSchema.parse(one.guards?.approvers)]));
  const [allDeclared, allRecorded] = [approversOn("declared"), approversOn("recorded")];
  const given = [...people.flatMap(givenIn), ...grantEnds.flatMap(givenLater)];
  const organizations = [...new Set([...allDeclared.keys(), ...allRecorded.keys()])];
  return organizations.flatMap((organization) => {
    const [declared, recorded] = [allDeclared.get(organization) ?? {}, allRecorded.get(organization) ?? {}];
    const here = given.filter(({ place }) => organizations.length === 1 || place.organization === organization);
    return Object.entries({ ...declared, ...recorded }).flatMap(([what, approvers]): Approval[] => {
      const gaining = here.filter((one) => one.levels.includes(what)).map(({ name }) => name);
      const { [what]: becomes = [] } = declared;
      const isChanged = what in recorded && !isDeepStrictEqual(sorted(approvers), sorted(becomes));
      if (gaining.length === 0 && !isChanged) return [];
      return [{ what, approvers, people: [...new Set(gaining)].sort(), ...(isChanged && { becomes }) }];
    });
  });
}

/** A person who gets something: `levels` has the role, or the id of the team, and what follows a grant. */
interface Given {
  readonly name: string;
  readonly place: Place;
  readonly levels: readonly (string | undefined)[];
}

function givenIn({ name, access }: PersonReview): Given[] {
  // Access that was taken away outside Pulumi is given again by this up.
  const given = access.filter((one) => one.effect === "gains" || ["accepted", "taken"].includes(groupOf(one) ?? ""));
  return given.map(({ place, after, grant }) => ({ name, place, levels: [place.team ?? after, grant?.then] }));
}

function givenLater({ name, place, level, after, longer, beginsLater }: GrantEnd): Given[] {
  return longer || beginsLater ? [{ name, place, levels: [place.team ?? level, after.then] }] : [];
}

export const approvalSection = (approvals: readonly Approval[]): ReportSection => ({
  id: "approvals",
  symbol: "✓",
  title: "Who must approve",
  entries: approvals.map(({ what, approvers, people, becomes }) => {
    const names = approvers.map((name) => safeText`${name}`);
    const reasons = becomes ? ["the change of approvers", ...people] : people;
    return { text: safeText`${what}: ${joined(names, " or ")}, for ${listFirst(reasons)}` };
  }),
});
