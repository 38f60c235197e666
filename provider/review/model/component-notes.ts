import { z } from "zod";
import type { Grant } from "../../access-plan/input";
import type { Place } from "../../access-plan/place";
import type { Properties } from "../../run/properties";
import type { Preview } from "./preview";

const grant = z.object({
  user: z.string(),
  team: z.string().optional(),
  role: z.string().optional(),
  sso: z.boolean().optional(),
  allowRaise: z.boolean().optional(),
  reason: z.string().optional(),
  from: z.string().optional(),
  expires: z.string().optional(),
  then: z.string().optional(),
});

/** What the component of an organization knows beside its resources. A second component has it as its input `review`. */
const notes = z.object({
  organization: z.string(),
  /** Roles and memberships with a reason, a beginning or an end, by the names in the declaration; `team` is an id. */
  grants: z.array(grant).optional(),
  teams: z.array(z.object({ id: z.string(), title: z.string() })).optional(),
  /** The declared guards, and the names of the sites that may become public (`allowPublic`). */
  guards: z.looseObject({}).optional(),
  /**
   * Only in a preview: live access that the preview does not show otherwise. An entry without `userId` is an e-mail that no member
   * has. The level is `unknown` in a team that was not read; of other teams in the list, everybody is known.
   */
  live: z
    .array(
      z.object({
        user: z.string(),
        userId: z.string().optional(),
        team: z.string().optional(),
        level: z.string(),
        isDisabled: z.literal(true).optional(),
        hidesEmail: z.literal(true).optional(),
      }),
    )
    .optional(),
});
export type ReviewNotes = z.output<typeof notes>;
export type NotedGrant = z.output<typeof grant>;

/** An output of the notes: the grants with a time, as the last run that has ended well had them. */
const applied = z.array(
  z.object({
    grant,
    /** The id of the manager that gives the grant. */
    manager: z.string(),
    phase: z.enum(["to begin", "running", "ended"]),
    /** Who the user of the grant is; absent while no member has the e-mail. */
    userId: z.string().optional(),
  }),
);
export type AppliedGrant = z.output<typeof applied>[number];
export type LiveAccess = NonNullable<ReviewNotes["live"]>[number];

export const notesName = (component: string): string => `${component}-notes`;

export const notesIn = (inputs: Properties | undefined): ReviewNotes | undefined =>
  notes.safeParse(inputs?.review).data;

export const appliedIn = (outputs: Properties = {}): AppliedGrant[] => applied.safeParse(outputs.applied).data ?? [];

/** The notes of the components in a preview, declared or as the state has them. */
export const notesOf = ({ resources }: Pick<Preview, "resources">, side: "declared" | "recorded"): ReviewNotes[] =>
  resources
    .filter(({ component }) => component)
    .flatMap(({ declared, live }) => notesIn(side === "declared" ? declared : live?.inputs) ?? []);

export const grantsOf = (preview: Preview, side: "declared" | "recorded"): Grant[] =>
  notesOf(preview, side).flatMap(grantsIn);

export const grantsIn = ({ organization, grants = [] }: ReviewNotes): Grant[] =>
  grants.map(({ team, ...grant }) => ({ ...grant, place: placeIn(organization, team) }));

export const liveAccessOf = (preview: Pick<Preview, "resources">): (LiveAccess & { readonly place: Place })[] =>
  notesOf(preview, "declared").flatMap(({ organization, live = [] }) =>
    live.map((one) => ({ ...one, place: placeIn(organization, one.team) })),
  );

const placeIn = (organization: string, team: string | undefined): Place =>
  team === undefined ? { kind: "role", organization } : { kind: "team", team, organization };
