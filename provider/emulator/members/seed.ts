import { z } from "zod";
import { samlSettings } from "../../api/groups/saml";
import { dateTime, richText, role, teamRole } from "../../api/groups/shared";
import { language } from "../../api/groups/translations";
import { created, id, ownId, type SeedingContext } from "../seed/fields";
import { byId, type SpaceRecord } from "../spaces/record";
import { parseMarkdown } from "../spaces/rich-text";
import { newId } from "../store/ids";
import type { OrganizationRecord } from "../store/state";
import { newTranslation, type TranslationRecord } from "../translations/record";
import { type PeopleRecords, putInTeam, type SamlRecord } from "./record";

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
    createdAt: created,
  })
  .refine(({ source, language }) => (source.language ?? "en") !== language, {
    path: ["language"],
    error: "use another language than that of the source",
  });
type SeedTranslation = z.input<typeof translation>;

/** The properties of an organization in a seed that list people, teams, SAML providers and translations. */
export const peopleSeeds = {
  members: z.array(member).optional().describe("Members of the organization."),
  teams: z.array(team).optional().describe("Teams."),
  saml: z.array(samlProvider).optional().describe("SAML providers."),
  translations: z.array(translation).optional().describe("Translations of spaces."),
};
const people = z.strictObject(peopleSeeds);
export type SeedPeople = z.input<typeof people>;

type PeopleContext = SeedingContext & Pick<OrganizationRecord, "spaces">;

export function peopleStateOf(seed: SeedPeople, context: PeopleContext) {
  const people: PeopleRecords = { members: new Map(), teams: new Map(), invitations: new Map() };
  for (const [index, one] of (seed.members ?? []).entries()) addMember(people, one, index, context);
  for (const one of seed.teams ?? []) addTeam(people, one, context);
  const saml = (seed.saml ?? []).map(({ id = newId("saml"), createdAt = context.createdAt, ...one }): SamlRecord => {
    return { defaultRole: null, ...one, id, createdAt, sequence: context.next() };
  });
  const translations = (seed.translations ?? []).map((one) => translationOf(one, context));
  const caller = [...people.members.values()].find(({ role }) => role === "admin")?.id;
  return { ...people, saml: byId(saml), translations: byId(translations), caller };
}

function addMember(people: PeopleRecords, seed: SeedMember, index: number, { createdAt }: PeopleContext): void {
  const { userId: id, displayName = id, role = "read", disabled = false, sso = false, spaces, ...more } = seed;
  // One second apart, so that lists have the order of the seed.
  const joinedAt = isoOf(seed.joinedAt ?? new Date(Date.parse(createdAt) + index * 1000));
  const lastSeenAt = seed.lastSeenAt && isoOf(seed.lastSeenAt);
  const member = { ...more, id, displayName, role, disabled, sso, joinedAt, lastSeenAt, spaces: { ...spaces } };
  people.members.set(id, member);
}

const isoOf = (time: string | Date) => new Date(time).toISOString();

function addTeam({ teams }: PeopleRecords, seed: SeedTeam, context: PeopleContext): void {
  const { id, title = id, createdAt = context.createdAt, members = {} } = seed;
  const team = { id, title, createdAt, sequence: context.next(), additions: 0, members: new Map() };
  teams.set(id, team);
  for (const [userId, role] of Object.entries(members)) putInTeam(team, userId, role);
}

function translationOf(seed: SeedTranslation, context: PeopleContext): TranslationRecord {
  const { id = newId("translation"), instructions = "", createdAt = context.createdAt, language } = seed;
  const { space, language: from = "en" } = seed.source;
  const settings = {
    id,
    sequence: context.next(),
    source: { space, language: from },
    language,
    instructions: typeof instructions === "string" ? parseMarkdown(instructions) : instructions,
    createdAt,
  };
  // The schema of the seed refuses unknown spaces.
  return newTranslation(settings, context.spaces.get(space) as SpaceRecord, new Date(createdAt));
}
