import { isPublic } from "../api/groups/sites";
import type { Severity } from "../lifecycle/review";
import type { Section } from "../review/render/sections";
import { counted, joined, type Words, words } from "../text/words";
import { kinds } from "./coverage";
import type { Declarer } from "./declarations";
import type { TeamName } from "./live";
import type { Audit, Gone } from "./report";
import type { Shared } from "./shared";
import type {
  UnmanagedMembership,
  UnmanagedPerson,
  UnmanagedProvider,
  UnmanagedSite,
  UnmanagedTranslation,
} from "./unmanaged";

/** What is unmanaged, by kind, the most important first; then what is wrong with what is declared. Empty ones are left out. */
export function sectionsOf({ unmanaged, shared, gone }: Audit): Section[] {
  const { roles, memberships, saml, sites, translations } = unmanaged;
  const [administrators, others] = parted(roles, ({ role }) => role === "admin");
  const [owners, members] = parted(memberships, ({ role }) => role === "owner");
  const [open, closed] = parted(sites, isPublic);
  // biome-ignore format: a section a line
  return [
    section("administrators", "●", "Administrators whom no code declares", ["administrator", "administrators"], administrators.map(personWords), "high"),
    section("roles", "●", "Other people with a role that no code declares", ["other person with a role", "other people with a role"], others.map(personWords)),
    section("owners", "●", "Owners of teams whom no code declares", ["owner of a team", "owners of teams"], owners.map(membershipWords), "medium"),
    section("members", "●", "Members of teams whom no code declares", ["member of a team", "members of teams"], members.map(membershipWords)),
    section("saml", "⇥", "SAML providers that no code declares", kinds.saml, saml.map(providerWords), "medium"),
    section("public-sites", "◼", "Public sites that no code declares", ["public site", "public sites"], open.map(siteWords), "medium"),
    section("sites", "◼", "Other sites that no code declares", ["other site", "other sites"], closed.map(siteWords)),
    section("translations", "◼", "Translations that no code declares", kinds.translations, translations.map(translationWords)),
    section("shared", "⚠", "Declared by several stacks: each undoes what the other does", ["shared declaration", "shared declarations"], shared.map(sharedWords), "medium"),
    section("gone", "○", "Declared, and not there", ["declaration of what is not there", "declarations of what is not there"], gone.map(goneWords)),
  ].filter(({ entries }) => entries.length > 0);
}

function section(
  id: string,
  symbol: string,
  title: string,
  [one, many]: readonly [string, string],
  texts: readonly Words[],
  severity?: Severity,
): Section {
  return { id, symbol, title, one, many, entries: texts.map((text) => ({ text, ...(severity && { severity }) })) };
}

/** Those that are so, and the others. */
function parted<Thing>(things: readonly Thing[], so: (thing: Thing) => boolean): [Thing[], Thing[]] {
  return [things.filter(so), things.filter((thing) => !so(thing))];
}

/** A name may change its owner, an id can not. */
const named = (name: string, id: string): Words => (name === id ? words`${id}` : words`${name} (${id})`);
const teamWords = ({ id, title }: TeamName): Words =>
  title === undefined ? words`team ${id}` : words`team ${title} (${id})`;

function personWords({ name, userId, role, disabled }: UnmanagedPerson): Words {
  return words`${named(name, userId)}: ${role}${[disabled ? ", disabled" : ""]}`;
}

function membershipWords({ name, userId, team, role }: UnmanagedMembership): Words {
  return words`${teamWords(team)}: ${named(name, userId)}, ${role}`;
}

function providerWords({ label, id, status, defaultRole }: UnmanagedProvider): Words {
  return words`${named(label, id)}: ${status}; who signs in for the first time becomes ${defaultRole}`;
}

function siteWords({ title, id, visibility, published }: UnmanagedSite): Words {
  return words`${named(title, id)}: ${visibility}, ${[published ? "published" : "not published"]}`;
}

function translationWords({ id, space, language }: UnmanagedTranslation): Words {
  return words`${id}: space ${space} into ${language}`;
}

const prefixes: Readonly<Record<string, string>> = {
  role: "role of ",
  membership: "",
  team: "",
  saml: "SAML provider ",
  site: "site ",
  translation: "translation ",
  "adaptive-schema": "adaptive schema of site ",
  "structure-order": "order of site ",
};

function thingWords({ kind, id, name, team }: Pick<Shared, "kind" | "id" | "name" | "team">): Words {
  if (kind === "team") return teamWords(team ?? { id });
  const place = team ? words`${teamWords(team)}: ` : words``;
  return words`${[prefixes[kind] ?? ""]}${place}${named(name, id)}`;
}

/** What the service says of each kind that a state has and it does not. */
const absences: Readonly<Record<string, string>> = {
  role: "no member of the organization",
  membership: "not in the team",
  saml: "not there",
  site: "not there",
  translation: "not there",
  "adaptive-schema": "the site is not there",
  "structure-order": "the site is not there",
};

function goneWords(one: Gone): Words {
  return words`${thingWords(one)}: ${[absences[one.kind] ?? ""]}; declared by ${byWords([one.by])}`;
}

function sharedWords(one: Shared): Words {
  const whole = one.kind === "team" ? "; TeamMembers removes whom another stack adds" : "";
  return words`${thingWords(one)}: ${byWords(one.by)}${[whole]}`;
}

const mostNamed = 10;

function byWords(by: readonly Declarer[]): Words {
  const shown = by.slice(0, mostNamed).map(({ stack, resource }) => words`${resource} of stack ${stack}`);
  const more = by.length > mostNamed ? ` and ${counted(by.length - mostNamed, "other")}` : "";
  return words`${joined(shown)}${[more]}`;
}
