import { z } from "zod";
import { samlSettings } from "../../api/groups/saml";
import { dateTime, richText, role, teamRole } from "../../api/groups/shared";
import { language } from "../../api/groups/translations";
import { idPattern } from "../store/ids";

/** Members, teams, SAML providers and translations, as a seed says them. */

const id = z.string().regex(idPattern, "letters, digits, - and _");
const created = dateTime.optional().describe("A month before the start when left out.");

const member = z.strictObject({
  userId: id,
  displayName: z.string().min(1).optional().describe("The user id when left out."),
  email: z.email().optional(),
  role: role.nullable().optional().describe("`read` when left out; null makes a guest."),
  disabled: z.boolean().optional(),
  sso: z.boolean().optional(),
  joinedAt: created,
  lastSeenAt: dateTime.optional().describe("Never seen when left out."),
  spaces: z.record(id, role).optional().describe("Roles in single spaces; a guest sees no other ones."),
});
export type SeedMember = z.input<typeof member>;

const team = z.strictObject({
  id,
  title: z.string().min(1).max(64).optional().describe("The id when left out."),
  createdAt: created,
  members: z.record(id, teamRole).optional().describe("Roles in the team by user id."),
});
export type SeedTeam = z.input<typeof team>;

const samlProvider = z.strictObject({
  id: id.optional(),
  label: samlSettings.label,
  entityID: samlSettings.entityID.optional(),
  certificate: samlSettings.certificate.optional(),
  ssoURL: samlSettings.ssoURL.optional(),
  defaultTeam: samlSettings.defaultTeam.optional(),
  defaultRole: samlSettings.defaultRole.optional(),
  createdAt: created,
});

const translation = z
  .strictObject({
    id: id.optional(),
    source: z.strictObject({ space: id, language: language.optional().describe("`en` when left out.") }),
    language,
    instructions: z.union([z.string(), richText]).optional().describe("A text, or rich text."),
    status: z
      .enum(["pending", "running", "completed"])
      .optional()
      .describe("`completed` when left out; the other ones stay so until the next run."),
    createdAt: created,
  })
  .refine(({ source, language }) => (source.language ?? "en") !== language, {
    path: ["language"],
    error: "use another language than that of the source",
  });
export type SeedTranslation = z.input<typeof translation>;

/** What an organization of a seed has of them. */
export const peopleSeeds = {
  members: z.array(member).optional(),
  teams: z.array(team).optional(),
  saml: z.array(samlProvider).optional().describe("SAML providers."),
  translations: z.array(translation).optional(),
};
const people = z.strictObject(peopleSeeds);
export type SeedPeople = z.input<typeof people>;
