import { type Properties, propertiesIn } from "../declaration";
import { userKey } from "../directory";
import type { Preview } from "./preview";

/** What a component says of a person beside the access: it is shown with the person. */
export interface Note {
  readonly reason?: string;
  /** Last day of the grant, and what it becomes then. */
  readonly expires?: string;
  readonly then?: string;
}

/** What a component may hand to the review, as its input `review`; what is not there is not said. */
export interface ReviewNotes {
  /** By user, as declared: id, or e-mail in any case. */
  readonly people?: Readonly<Record<string, Note>>;
  /** By team id: the title that people know it by. */
  readonly teams?: Readonly<Record<string, { readonly title: string }>>;
  /** What no change may do. */
  readonly guards?: Guards;
}

export interface Guards {
  readonly minAdmins?: number | undefined;
  readonly requiredAdmins?: readonly string[] | undefined;
  readonly maxRemovals?: number | string | undefined;
}

/** Notes on people by key, and titles of teams by id. */
export interface Notes {
  readonly people: ReadonlyMap<string, Note>;
  readonly teams: ReadonlyMap<string, string>;
}

/** What the components of the preview say about people and teams. */
export function notesOf({ resources }: Preview): Notes {
  return notesIn(resources.map(({ declared }) => declared));
}

/** What they said when the stack was last changed. */
export function notesBefore({ resources }: Preview): Notes {
  return notesIn(resources.map(({ live }) => live?.inputs));
}

function notesIn(components: readonly (Properties | undefined)[]): Notes {
  const people = new Map<string, Note>();
  const teams = new Map<string, string>();
  for (const component of components) {
    const { people: some, teams: others } = propertiesIn(component?.review);
    for (const [user, note] of Object.entries(propertiesIn(some))) people.set(userKey(user), noteIn(note));
    for (const [id, team] of Object.entries(propertiesIn(others))) {
      const { title } = propertiesIn(team);
      if (typeof title === "string") teams.set(id, title);
    }
  }
  return { people, teams };
}

function noteIn(note: unknown): Note {
  const kept = ["reason", "expires", "then"].flatMap((name) => {
    const value = propertiesIn(note)[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(kept);
}
