import { firstAdministrator, type People, putInTeam } from "../members/record";
import type { SeedMember, SeedPeople, SeedTeam, SeedTranslation } from "../members/seed";
import type { SamlRecord } from "../saml/record";
import type { SeedingContext } from "../sites/seeding";
import type { SpaceRecord } from "../spaces/record";
import { richTextOf } from "../spaces/rich-text";
import { newId } from "../store/ids";
import type { Organization } from "../store/state";
import { startRun, type TranslationRecord } from "../translations/record";

export interface PeopleContext extends SeedingContext {
  readonly spaces: ReadonlyMap<string, SpaceRecord>;
}

/** Builds the records of people, teams, SAML providers and translations in a seed. */
export function peopleStateOf(
  seed: SeedPeople,
  context: PeopleContext,
): Pick<Organization, keyof People | "saml" | "translations" | "caller"> {
  const people: People = { members: new Map(), teams: new Map(), invitations: new Map() };
  for (const [index, one] of (seed.members ?? []).entries()) addMember(people, one, index, context);
  for (const one of seed.teams ?? []) addTeam(people, one, context);
  const saml = (seed.saml ?? []).map((one): SamlRecord => {
    const createdAt = one.createdAt ?? context.createdAt;
    const own = { id: one.id ?? newId("saml"), sequence: context.next(), createdAt };
    return { defaultRole: null, ...one, ...own };
  });
  const translations = (seed.translations ?? []).map((one) => translationOf(one, context));
  return {
    ...people,
    saml: new Map(saml.map((one) => [one.id, one])),
    translations: new Map(translations.map((one) => [one.id, one])),
    caller: firstAdministrator(people),
  };
}

function addMember({ members }: People, seed: SeedMember, index: number, { createdAt }: PeopleContext): void {
  const { userId: id, displayName = id, email, role = "read", disabled = false, sso = false, spaces = {} } = seed;
  // One second apart, so that lists have the order of the seed.
  const joinedAt = seed.joinedAt ?? new Date(Date.parse(createdAt) + index * 1000);
  const lastSeenAt = seed.lastSeenAt === undefined ? undefined : isoOf(seed.lastSeenAt);
  const record = { id, displayName, email, role, disabled, sso, joinedAt: isoOf(joinedAt), lastSeenAt, spaces };
  members.set(id, { ...record, spaces: { ...spaces } });
}

const isoOf = (time: string | Date) => new Date(time).toISOString();

function addTeam({ teams }: People, seed: SeedTeam, context: PeopleContext): void {
  const { id, title = id, createdAt = context.createdAt, members = {} } = seed;
  const team = { id, title, createdAt, sequence: context.next(), additions: 0, members: new Map() };
  teams.set(id, team);
  for (const [userId, role] of Object.entries(members)) putInTeam(team, userId, role);
}

function translationOf(seed: SeedTranslation, { next, createdAt: monthAgo, spaces }: PeopleContext): TranslationRecord {
  const { source, language, instructions, status = "completed", createdAt = monthAgo } = seed;
  const translation: TranslationRecord = {
    id: seed.id ?? newId("translation"),
    sequence: next(),
    source: { space: source.space, language: source.language ?? "en" },
    language,
    instructions: typeof instructions === "object" ? instructions : richTextOf(instructions ?? ""),
    createdAt,
    updatedAt: createdAt,
    space: newId("space"),
    runs: [],
  };
  const space = spaces.get(source.space);
  if (status !== "completed") translation.held = status;
  else if (space) startRun(translation, space, new Date(createdAt));
  return translation;
}
