import { counted, type SafeText, safeText, trusted } from "../../../text/safe-text";
import type { PersonReview } from "../../model/access";
import type { Review } from "../../model/review";
import { weightOf } from "../severity";

/** Maximum number of rows. Nobody reads more, and browsers become slow. */
export const mostRows = 1000;
/** Maximum number of entries in one section, such as the people who gain access. */
export const mostEntries = 500;
/** Maximum bytes of all rows, and of all entries of one section. With long names, fewer fit. */
export const roomForRows = 1_500_000;
export const roomForEntries = 150_000;

const whole = "--format json has the whole list";

/** Says how many objects are not shown, and of which kinds; empty if all are shown. */
export function describeHidden(count: number, one: string, many: string, kinds: SafeText = []): SafeText {
  if (count === 0) return [];
  return safeText`${trusted(counted(count, `${one} is`, `${many} are`))} not shown${kinds}${trusted(kinds.length > 0 ? ";" : ":")} ${trusted(whole)}`;
}

/** The first texts that fit: no more than `most`, and no more bytes than there is room for. */
export function takeFitting<Item>(
  items: Iterable<Item>,
  textOf: (item: Item) => string,
  { most, room }: { readonly most: number; readonly room: number },
): string[] {
  const texts: string[] = [];
  let left = room;
  for (const item of items) {
    if (texts.length === most) break;
    const text = textOf(item);
    left -= Buffer.byteLength(text) + 1;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
}

/** People with a risk first, then people with a change, then all others; each group by the gravest change, then by name. */
export function mostImportantFirst({ people, risks }: Pick<Review, "people" | "risks">): readonly PersonReview[] {
  const risky = new Set(risks.map(({ subject }) => subject));
  return people
    .map((person) => ({ person, isRisky: risky.has(person.id), weight: weightOf(person.access) }))
    .sort((a, b) => Number(b.isRisky) - Number(a.isRisky) || a.weight - b.weight)
    .map(({ person }) => person);
}
