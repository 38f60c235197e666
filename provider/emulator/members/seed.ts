import { z } from "zod";
import { samlSettings } from "../../api/groups/saml";
import { dateTime, richText, role, teamRole } from "../../api/groups/shared";
import { language } from "../../api/groups/translations";
import { idPattern } from "../store/ids";

/** Schemas of members, teams, SAML providers and translations in a seed. */

const id = z.string().regex(idPattern, "letters, digits, - and _");
const created = dateTime.optional().describe("Time of creation; default: 30 days before the start of the emulator.");

const member = z.strictObject({
  userId: id,
  displayName: z.string().min(1).optional().describe("Default: the user id."),
  email: z.email().optional(),
  role: role.nullable().optional().describe("Default: `read`. Null makes a guest."),
  disabled: z.boolean().optional(),
  sso: z.boolean().optional(),
  joinedAt: created,
  lastSeenAt: dateTime.optional().describe("By default, the member was never seen."),
  spaces: z.record(id, role).optional().describe("Roles in single spaces. A guest sees only these spaces."),
});
export type SeedMember = z.input<typeof member>;

const team = z.strictObject({
  id,
  title: z.string().min(1).max(64).optional().describe("Default: the id."),
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
    source: z.strictObject({ space: id, language: language.optional().describe("Default: `en`.") }),
    language,
    instructions: z.union([z.string(), richText]).optional().describe("A text, or rich text."),
    status: z
      .enum(["pending", "running", "completed"])
      .optional()
      .describe("Default: `completed`. Another status stays until the next run."),
    createdAt: created,
  })
  .refine(({ source, language }) => (source.language ?? "en") !== language, {
    path: ["language"],
    error: "use another language than that of the source",
  });
export type SeedTranslation = z.input<typeof translation>;

/** The properties of an organization in a seed that list people, teams, SAML providers and translations. */
export const peopleSeeds = {
  members: z.array(member).optional(),
  teams: z.array(team).optional(),
  saml: z.array(samlProvider).optional().describe("SAML providers."),
  translations: z.array(translation).optional(),
};
const people = z.strictObject(peopleSeeds);
export type SeedPeople = z.input<typeof people>;
