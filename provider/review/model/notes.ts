import { stringsIn } from "../../access/assignments";
import type { Place } from "../../access-plan/place";
import { userKey } from "../../people/user";
import { type Properties, propertiesIn } from "../../run/properties";
import type { Preview } from "./preview";

/** The note of a component on the access of a person in one place. */
export interface Note {
  readonly reason?: string;
  /** Last day of the grant (`expires`), and what follows (`then`). */
  readonly expires?: string;
  readonly then?: string;
}

/** The notes that a component passes to the review, as its input `review`. */
export interface ReviewNotes {
  /** The organization of the notes; if omitted, they apply to any organization of the stack. */
  readonly organization?: string;
  /** Notes on roles in the organization, by user as declared: id, or e-mail in any case. */
  readonly people?: Readonly<Record<string, Note>>;
  /** By team id: the title, and notes on memberships. */
  readonly teams?: Readonly<Record<string, TeamNotes>>;
  /** The declared guards. */
  readonly guards?: Guards;
  /** Only in a preview: the live access of people who become managed, which the new resources do not show. */
  readonly present?: Present;
}

/** What a preview of new access does not show: the live access of people who become managed, and people who cannot use it yet. */
export interface Present {
  /** Roles in the organization. */
  readonly people: readonly PresentPerson[];
  /** By id, teams that become managed: their declared members, and members who would be removed. */
  readonly teams: Readonly<Record<string, readonly PresentPerson[]>>;
  /** Ids of disabled people who gain access. */
  readonly disabled?: readonly string[];
  /** E-mails of new team members that no member has. */
  readonly pending?: readonly string[];
}

export interface PresentPerson {
  /** The declared user; for an undeclared person, the e-mail or id. */
  readonly user: string;
  readonly userId: string;
  readonly role: string;
}

export interface TeamNotes {
  readonly title?: string;
  readonly people?: Readonly<Record<string, Note>>;
}

export interface Guards {
  readonly minAdmins?: number | undefined;
  readonly requiredAdmins?: readonly string[] | undefined;
  readonly maxRemovals?: number | string | undefined;
  /** Names of the sites that may become public. */
  readonly allowPublic?: readonly string[] | undefined;
}

/** A note on what one user has in one place. */
export interface Noted extends Note {
  /** As declared. */
  readonly user: string;
  readonly team?: string;
  readonly organization: string;
}

/** Notes on people, and titles of teams by id. */
export class Notes {
  readonly all: readonly Noted[];
  readonly teams: ReadonlyMap<string, string>;
  private readonly byKey: ReadonlyMap<string, Noted>;

  constructor(components: readonly (Properties | undefined)[]) {
    const reviews = components.map((component) => propertiesIn(component?.review));
    this.all = reviews.flatMap(notedIn);
    this.byKey = new Map(this.all.map((one) => [keyOf(one.organization, one.team, one.user), one]));
    const titles = reviews.flatMap(({ teams }) => Object.entries(propertiesIn(teams)));
    this.teams = new Map(
      titles.flatMap(([id, team]) => {
        const { title } = propertiesIn(team);
        return typeof title === "string" ? [[id, title] as const] : [];
      }),
    );
  }

  /** The note on a person in a place, found by any of the names. */
  in({ kind, team, organization }: Place, names: readonly string[]): Note | undefined {
    if (kind === "sso") return undefined;
    const noted = names
      .flatMap((name) => [organization, ""].map((id) => this.byKey.get(keyOf(id, team, name))))
      .find(Boolean);
    return noted && noteOf(noted);
  }
}

const keyOf = (organization: string, team: string | undefined, user: string): string =>
  JSON.stringify([organization, team ?? "", userKey(user)]);

/** The notes of the components in the preview. */
export function notesOf({ resources }: Preview): Notes {
  return new Notes(resources.map(({ declared }) => declared));
}

/** The live access of people who become managed, and the teams for which it is complete. */
export function presentOf({ resources }: Pick<Preview, "resources">): {
  readonly access: readonly (PresentPerson & { readonly place: Place })[];
  readonly completeTeams: readonly Place[];
} {
  const told = resources.flatMap(({ component, declared }) => {
    const review = propertiesIn(component ? declared?.review : undefined);
    const { people, teams } = propertiesIn(review.present);
    if (people === undefined || typeof review.organization !== "string") return [];
    const { organization } = review;
    const ofTeams = Object.entries(propertiesIn(teams));
    return [
      { place: { kind: "role", organization } as const, people: peopleIn(people) },
      ...ofTeams.map(([team, some]) => ({
        place: { kind: "team", team, organization } as const,
        people: peopleIn(some),
      })),
    ];
  });
  return {
    access: told.flatMap(({ place, people }) => people.map((one) => ({ ...one, place }))),
    completeTeams: told.map(({ place }) => place).filter(({ kind }) => kind === "team"),
  };
}

/** The names of people who gain access and are disabled, or have not joined yet. */
export function absentIn(
  { resources }: Pick<Preview, "resources">,
  which: "disabled" | "pending",
): ReadonlySet<string> {
  const reviews = resources.map(({ component, declared }) => propertiesIn(component ? declared?.review : undefined));
  return new Set(reviews.flatMap(({ present }) => stringsIn(propertiesIn(present)[which])));
}

function peopleIn(value: unknown): PresentPerson[] {
  const isPerson = (one: Properties) => [one.user, one.userId, one.role].every((text) => typeof text === "string");
  return Array.isArray(value) ? (value.map(propertiesIn).filter(isPerson) as unknown as PresentPerson[]) : [];
}

/** The notes of the components in the state. */
export function notesBefore({ resources }: Preview): Notes {
  return new Notes(resources.map(({ live }) => live?.inputs));
}

function notedIn(review: Properties): Noted[] {
  const organization = typeof review.organization === "string" ? review.organization : "";
  const noted = (people: unknown, team?: string) =>
    Object.entries(propertiesIn(people)).map(([user, note]): Noted => {
      return { user, organization, ...(team !== undefined && { team }), ...noteOf(propertiesIn(note)) };
    });
  const inTeams = Object.entries(propertiesIn(review.teams)).flatMap(([id, team]) => {
    return noted(propertiesIn(team).people, id);
  });
  return [...noted(review.people), ...inTeams];
}

function noteOf({ reason, expires, then }: { readonly [key in keyof Note]?: unknown }): Note {
  return {
    ...(typeof reason === "string" && { reason }),
    ...(typeof expires === "string" && { expires }),
    ...(typeof then === "string" && { then }),
  };
}
