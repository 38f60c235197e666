import { enumerated } from "../access/bulk";
import { nameOfTeammate } from "../access/team";
import type { SamlProvider } from "../api/groups/saml";
import { roles, type TeamRole, teamRoles, team as teamSchema } from "../api/groups/shared";
import type { AdaptiveJsonSchema, Site } from "../api/groups/sites";
import type { Translation } from "../api/groups/translations";
import type { LiveTeam } from "../organization/live/live";
import type { OrganizationFile } from "../organization/sections/schema";
import { samlProvider } from "../resources/saml-provider/saml-provider";
import { teamId } from "../resources/shared/common";
import type { Profile, StructureItem } from "../resources/site/profile";
import { site as siteResource } from "../resources/site/site";
import { sameSchema, schemaOf } from "../resources/site-adaptive-schema/breaking";
import { siteAdaptiveSchema } from "../resources/site-adaptive-schema/site-adaptive-schema";
import { sortable, wholeOrder } from "../resources/site-structure-order/order";
import { siteStructureOrder } from "../resources/site-structure-order/site-structure-order";
import { translation as translationResource } from "../resources/translation";
import type { Properties } from "../run/properties";
import { counted } from "../text/words";
import { certificateText } from "./certificate-text";
import { called, declarable, type Notes } from "./declarable";
import { plainTextOf } from "./instructions";
import { namesOf } from "./names";
import { People } from "./people";
import type { LiveEverything } from "./reading";

/** An organization's file before it is text. */
export interface Draft {
  readonly organization: OrganizationFile;
  /** Certificates by the files that the organization names. */
  readonly certificates: ReadonlyMap<string, string>;
  /** Ids at the service by section and name in the file. */
  readonly ids: Readonly<Record<"saml" | "sites" | "translations", ReadonlyMap<string, string>>>;
  readonly notes: Notes;
}

/** What the file says of an organization that is there. */
export function draftOf(live: LiveEverything): Draft {
  const notes: Notes = [];
  const people = new People(live.members, live.teams);
  const names = namesIn(live);
  const certificates = new Map<string, string>();
  const members = membersIn(live, people, notes);
  const teams = teamsIn(live, people, notes);
  const saml = entriesOf(live.saml, names.saml, (one, name) => providerOf(one, { name, certificates, teams, notes }));
  const sites = entriesOf(live.sites, names.sites, (one) => siteOf(one, live, notes));
  const translations = entriesOf(live.translations, names.translations, (one) => translationOf(one, notes));
  notes.push(...unseenIn(live));
  const filled = Object.entries({ members, teams, saml, sites, translations }).filter(
    ([, section]) => Object.keys(section).length > 0,
  );
  return {
    // What is in it, the schemas have let through one by one; the loader has the last word.
    organization: { organization: live.organizationId, ...Object.fromEntries(filled) } as OrganizationFile,
    certificates,
    ids: { saml: inverse(names.saml), sites: inverse(names.sites), translations: inverse(names.translations) },
    notes,
  };
}

function namesIn({ saml, sites, translations, spaceTitles }: LiveEverything) {
  const titled = ({ id, source, language }: Translation) => ({
    id,
    title: `${spaceTitles.get(source.space) ?? source.space} ${language}`,
  });
  return {
    saml: namesOf(
      saml.map(({ id, label }) => ({ id, title: label })),
      "saml",
    ),
    sites: namesOf(sites, "site"),
    translations: namesOf(translations.map(titled), "translation"),
  };
}

const inverse = (names: ReadonlyMap<string, string>) => new Map([...names].map(([id, name]) => [name, id]));

/** The things of a section by name, in the order of the names; one that can not be declared at all is left out. */
function entriesOf<Thing extends { readonly id: string }>(
  things: readonly Thing[],
  names: ReadonlyMap<string, string>,
  declare: (thing: Thing, name: string) => Properties | undefined,
): Record<string, Properties> {
  const named = things.map((thing) => [names.get(thing.id) as string, thing] as const).sort(byName);
  return Object.fromEntries(
    named.flatMap(([name, thing]) => {
      const declared = declare(thing, name);
      return declared && Object.keys(declared).length > 0 ? [[name, declared]] : [];
    }),
  );
}

/** By the code of the characters, so that no setting of a machine changes the order. */
function byName([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number {
  const [one, other] = [a.toLowerCase(), b.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Administrators first, then by name. Guests have no role. */
function membersIn({ members }: LiveEverything, people: People, notes: Notes): Record<string, unknown> {
  const listed = members.flatMap(({ user, role, sso }): [string, { role: string; sso: boolean }][] => {
    if (role === null) return [];
    const name = people.nameOf(user.id);
    const reason = isOneOf(roles, role) ? unnameable : `the role "${role}" is not known to this version`;
    if (name !== undefined && isOneOf(roles, role)) return [[name, { role, sso }]];
    notes.push(`${called("member", user.displayName, user.id)} is left out: ${reason}`);
    return [];
  });
  const first = ([, { role }]: (typeof listed)[number]) => (role === roles[0] ? 0 : 1);
  const sorted = listed.sort((a, b) => first(a) - first(b) || byName(a, b));
  return Object.fromEntries(sorted.map(([name, { role, sso }]) => [name, sso ? { role, sso } : role]));
}

/** What a file does not show of its people. */
function unseenIn({ members }: LiveEverything): Notes {
  const guests = members.filter(({ role }) => role === null).length;
  const disabled = members.filter((one) => one.role !== null && one.disabled).map(({ user }) => user.email ?? user.id);
  return [
    ...(guests > 0
      ? [`members does not list ${counted(guests, "guest")}, who ${guests === 1 ? "has" : "have"} no role; teams do`]
      : []),
    ...(disabled.length > 0
      ? [`members lists people who are disabled, with the role that they keep: ${enumerated(disabled)}`]
      : []),
  ];
}

const unnameable = "a file can name this person neither by e-mail nor by id";

const isOneOf = (values: readonly string[], value: string) => values.includes(value);

function teamsIn({ teams }: LiveEverything, people: People, notes: Notes): Record<string, Properties> {
  return Object.fromEntries(
    teams.flatMap((team): [string, Properties][] => {
      const what = called("team", team.title ?? "", team.id);
      const wrong = team.id === "__proto__" || !teamId.safeParse(team.id).success;
      if (wrong) notes.push(`${what} is left out: its id can not stand in a file`);
      if (wrong) return [];
      const { title } = declarable(what, teamSchema, { title: team.title }, notes);
      const members = rosterOf(team, what, people, notes);
      return [[team.id, { ...(title !== undefined && { title }), ...(members && { members }) }]];
    }),
  );
}

/**
 * Everybody in the team: owners first, then by name. Where one of them can not be named, nobody is, since who is not
 * declared would be removed.
 */
function rosterOf({ people: found }: LiveTeam, what: string, people: People, notes: Notes) {
  const strangers = found.filter(({ userId }) => !people.isMember(userId));
  if (strangers.length > 0) {
    notes.push(
      `${what} has people who are no members of the organization: ${strangers.map(nameOfTeammate).join(", ")}`,
    );
  }
  const named = found.map((one) => ({
    ...one,
    name: isOneOf(teamRoles, one.role) ? people.nameOf(one.userId) : undefined,
  }));
  const lost = named.filter(({ name }) => name === undefined);
  if (lost.length > 0) {
    const who = lost.map(nameOfTeammate).join(", ");
    notes.push(`${what}: its members are left out, since a file can not declare all of them: ${who}`);
    return undefined;
  }
  const listed = named.map(({ name, role }) => [name as string, role as TeamRole] as const);
  const first = ([, role]: (typeof listed)[number]) => (role === teamRoles[0] ? 0 : 1);
  return Object.fromEntries(listed.sort((a, b) => first(a) - first(b) || byName(a, b)));
}

interface OfProvider {
  readonly name: string;
  readonly certificates: Map<string, string>;
  readonly teams: Record<string, Properties>;
  readonly notes: Notes;
}

function providerOf(live: SamlProvider, { name, certificates, teams, notes }: OfProvider): Properties | undefined {
  const what = called("SAML provider", live.label, live.id);
  const { label } = live;
  const values = { ...samlProvider.lifecycle.values(live, { label }), defaultRole: live.defaultRole ?? "guest" };
  const { certificate, defaultTeam, ...others } = declarable(what, samlProvider.inputs, values, notes);
  if (others.label === undefined) return undefined;
  // A team without people is among them; one that is not there would be refused.
  const known = Object.hasOwn(teams, String(defaultTeam));
  if (defaultTeam !== undefined && !known) {
    notes.push(`${what}: defaultTeam is left out: team ${defaultTeam} is not there, or its id can not stand in a file`);
  }
  const file = `certs/${name}.pem`;
  if (certificate !== undefined) certificates.set(file, certificateText(String(certificate)));
  return {
    ...others,
    ...(known && { defaultTeam }),
    ...(certificate !== undefined && { certificateFile: file }),
  };
}

function siteOf(live: Site, { schemas, profiles }: LiveEverything, notes: Notes): Properties {
  const what = called("site", live.title, live.id);
  const { profile = {}, structure = [], unread } = profiles?.get(live.id) ?? {};
  if (unread !== undefined && live.siteSpaces > 0) notes.push(`${what}: ${untold} are left out: ${unread}`);
  const all = { site: live, profile, agentsContext: undefined };
  // The id of the site space says what `defaultSpace` says, and is exact if a space is there twice.
  const values = {
    ...siteResource.lifecycle.values(all, {}),
    ...siteResource.importable?.(all),
    defaultSpace: undefined,
  };
  const created = { type: live.type, spaces: spacesOf(profile), agentsContext: live.agentsContext };
  const settings = declarable(what, siteResource.inputs, { ...values, ...created }, notes);
  const order = orderOf(what, structure, notes);
  return { ...settings, ...(order !== undefined && { order }), ...schemaFor(what, schemas.get(live.id), notes) };
}

const untold = "spaces, the default site space and section, and the order";

function spacesOf({ spaces = [] }: Profile): string[] | undefined {
  return spaces.length > 0 ? [...new Set(spaces)] : undefined;
}

/** Only where there is something to put in order: lists of one item say nothing. */
function orderOf(what: string, structure: readonly StructureItem[], notes: Notes): unknown {
  if (!hasOrder(structure)) return undefined;
  return declarable(what, siteStructureOrder.inputs, { order: wholeOrder(pruned(structure)) }, notes).order;
}

const hasOrder = (items: readonly StructureItem[] = []): boolean =>
  items.filter(sortable).length > 1 || items.some(({ inside }) => hasOrder(inside));

const pruned = (items: readonly StructureItem[] = []): StructureItem[] =>
  items.map((item) => ({ ...item, inside: hasOrder(item.inside) ? pruned(item.inside) : undefined }));

function schemaFor(what: string, schema: AdaptiveJsonSchema | undefined, notes: Notes): Properties {
  if (schema === undefined) return {};
  const { jsonSchema } = declarable(what, siteAdaptiveSchema.inputs, { jsonSchema: schema }, notes);
  return jsonSchema === undefined ? {} : { adaptiveSchema: claimsOr(schema) };
}

/** The claims alone are easier to read, and as good where the schema around them is the one that is always there. */
function claimsOr(schema: AdaptiveJsonSchema): Properties {
  const { claims = {}, unsignedClaims = {} } = siteAdaptiveSchema.importable?.(schema) ?? {};
  const told = { claims, ...(Object.keys(unsignedClaims as object).length > 0 && { unsignedClaims }) } as Claims;
  return sameSchema(schemaOf(told.claims, told.unsignedClaims), schema) ? told : { jsonSchema: schema };
}
interface Claims extends Properties {
  readonly claims: Parameters<typeof schemaOf>[0];
  readonly unsignedClaims?: Parameters<typeof schemaOf>[1];
}

function translationOf(live: Translation, notes: Notes): Properties | undefined {
  const what = called("translation", `${live.source.space} ${live.language}`, live.id);
  const values = translationResource.lifecycle.values(
    { translation: live, instructions: live.instructions, rerun: undefined },
    live,
  );
  const instructions = live.instructions && (plainTextOf(live.instructions) ?? live.instructions);
  const declared = declarable(what, translationResource.inputs, { ...values, instructions }, notes);
  return declared.source === undefined || declared.language === undefined ? undefined : declared;
}
