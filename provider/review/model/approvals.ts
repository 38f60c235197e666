import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
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

/** The approvers that the stack has recorded count, so that a change cannot choose its own; of what has none yet, the declared ones. */
export function approvalsOf(
  preview: Preview,
  { people, grantEnds }: { readonly people: readonly PersonReview[]; readonly grantEnds: readonly GrantEnd[] },
): Approval[] {
  const approversOn = (side: "declared" | "recorded") =>
    new Map(notesOf(preview, side).map((one) => [one.organization, approversSchema.parse(one.guards?.approvers)]));
  const [allDeclared, allRecorded] = [approversOn("declared"), approversOn("recorded")];
  const given = [
    ...people.flatMap(({ name, access }) =>
      access
        // What was taken away outside Pulumi is given again by this up.
        .filter((one) => one.effect === "gains" || groupOf(one) === "accepted" || groupOf(one) === "taken")
        .map(({ place, after, grant }) => ({ name, place, what: place.team ?? after, then: grant?.then })),
    ),
    ...grantEnds
      .filter(({ longer, beginsLater }) => longer || beginsLater)
      .map(({ name, place, level, after }) => ({ name, place, what: place.team ?? level, then: after.then })),
  ];
  const organizations = [...new Set([...allDeclared.keys(), ...allRecorded.keys()])];
  return organizations.flatMap((organization) => {
    const [declared, recorded] = [allDeclared.get(organization) ?? {}, allRecorded.get(organization) ?? {}];
    const here = given.filter(({ place }) => organizations.length === 1 || place.organization === organization);
    return Object.entries({ ...declared, ...recorded }).flatMap(([what, approvers]): Approval[] => {
      const gaining = here.filter((one) => one.what === what || one.then === what).map(({ name }) => name);
      const { [what]: becomes = [] } = declared;
      const isChanged = what in recorded && !isDeepStrictEqual(sorted(approvers), sorted(becomes));
      if (gaining.length === 0 && !isChanged) return [];
      return [{ what, approvers, people: [...new Set(gaining)].sort(), ...(isChanged && { becomes }) }];
    });
  });
}

export const approvalSection = (approvals: readonly Approval[]): ReportSection => ({
  id: "approvals",
  symbol: "✓",
  title: "Who must approve",
  entries: approvals.map(({ what, approvers, people, becomes }) => {
    const one = joined(
      approvers.map((name) => safeText`${name}`),
      " or ",
    );
    return {
      text: safeText`${what}: ${one}, for ${listFirst(becomes ? ["the change of approvers", ...people] : people)}`,
    };
  }),
});
