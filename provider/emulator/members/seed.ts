import { z } from "zod";
import { samlSettings } from "../../api/groups/saml";
import { dateTime, richText, role, teamRole } from "../../api/groups/shared";
import { language } from "../../api/groups/translations";
import { created, id, ownId } from "../seed/fields";

/** Schemas of members, teams, SAML providers and translations in a seed. */

const member = z.strictObject({
  userId: id.describe("Id of the user. Letters, digits, - and _."),
  displayName: z.string().min(1).optional().describe("Default: the user id."),
  email: z.email().optional().describe("E-mail; without one, the member has no e-mail."),
  role: role.nullable().optional().describe("Default: `read`. Null makes a guest."),
  disabled: z.boolean().optional().describe("Whether the member cannot sign in; default: false."),
  sso: z.boolean().optional().describe("Whether the member signs in with a SAML provider; default: false."),
  joinedAt: created,
  lastSeenAt: dateTime.optional().describe("By default, the member was never seen."),
  spaces: z.record(id, role).optional().describe("Roles in single spaces. A guest sees only these spaces."),
});
export type SeedMember = z.input<typeof member>;

const team = z.strictObject({
  id: id.describe("Id of the team. Letters, digits, - and _."),
  title: z.string().min(1).max(64).optional().describe("Default: the id."),
  createdAt: created,
  members: z.record(id, teamRole).optional().describe("Roles in the team by user id."),
});
export type SeedTeam = z.input<typeof team>;

const samlProvider = z.strictObject({
  id: ownId("the provider"),
  ...z.strictObject(samlSettings).partial().shape,
  label: samlSettings.label,
  createdAt: created,
});
export type SeedSaml = z.input<typeof samlProvider>;

const translation = z
  .strictObject({
    id: ownId("the translation"),
    source: z
      .strictObject({
        space: id.describe("Id of the space that is translated."),
        language: language.optional().describe("Language of that space. Default: `en`."),
      })
      .describe("What is translated."),
    language: language.describe("Language of the translation, such as `fr` or `pt-br`."),
    instructions: z
      .union([z.string(), richText])
      .optional()
      .describe("Instructions for the translator: a text, or rich text."),
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
  members: z.array(member).optional().describe("Members of the organization."),
  teams: z.array(team).optional().describe("Teams."),
  saml: z.array(samlProvider).optional().describe("SAML providers."),
  translations: z.array(translation).optional().describe("Translations of spaces."),
};
const people = z.strictObject(peopleSeeds);
export type SeedPeople = z.input<typeof people>;
