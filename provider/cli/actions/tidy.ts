import type { RecordedAssignment } from "../../access-plan/input";
import { keyOfPlace } from "../../access-plan/place";
import { DocsError } from "../../api/http/errors";
import { editEntries } from "../../organization/file/edit-entries";
import { loadOrganization, organizationYaml, readPositions } from "../../organization/file/loader";
import { filePlaceAt, positionAt } from "../../organization/file/places";
import { findIdleLines, type RecordedNames } from "../../organization/idle-lines";
import { readAccess } from "../../review/model/access-input";
import { type Preview, previewIn } from "../../review/model/preview";
import { textOf } from "../../review/render/formats";
import { reviewOf } from "../../review/review";
import { replaceFile } from "../../run/files";
import { Settings } from "../../run/settings";
import { counted } from "../../text/safe-text";
import { visible } from "../../text/visible";
import { print } from "../output";
import { confirm, refuseWithoutTerminal } from "./ask";
import { openStack, type StackOptions } from "./deployment";
import { reviewOptions } from "./previews";

export async function tidy(options: StackOptions): Promise<void> {
  refuseWithoutTerminal("tidy", options);
  const deployment = await openStack(options, { create: false });
  // The refresh of this preview says which people have left; if the members cannot be read, the preview is refused.
  const preview = previewIn(await deployment.preview("up"), "the preview");
  const review = reviewOf(preview, reviewOptions());
  if (review.refusals.length > 0) {
    await print(textOf(review));
    throw new DocsError("no line was edited, because the preview was refused");
  }
  const now = new Settings().now();
  const idle = findIdleLines(loadOrganization(organizationYaml, { now }).organization, now, namesIn(preview));
  const root = readPositions(organizationYaml);
  const lines = idle.flatMap(({ path, ...line }) => {
    const position = positionAt(root, path);
    return position ? [{ source: position.source, offset: position.key, path, ...line }] : [];
  });
  if (lines.length === 0)
    return print("Nothing to edit: a grant that has ended stays in the file until docs-org up has ended it.\n");
  for (const { source, offset, path, reason, value } of lines) {
    const place = filePlaceAt(source, offset);
    const what = value === undefined ? reason : `${reason}; becomes ${value}`;
    await print(`${visible(place.file)}:${place.line}: ${visible(path.map(String).join("."))}: ${what}\n`);
  }
  const what = counted(lines.length, "line");
  if (!options.yes && !(await confirm(`Edit ${what}?`, "Nothing was changed."))) return;
  for (const [{ path }, text] of editEntries(lines)) replaceFile(path, text);
  await print(`Edited ${what}. Look at the diff, and run docs-org preview.\n`);
}

/** The names that the refreshed state has for people, by place. */
function namesIn(preview: Preview): RecordedNames {
  const { input, people } = readAccess(preview);
  const recorded = input.managers.flatMap((manager) => manager.recorded?.assignments ?? []);
  const levelsOf = (some: readonly RecordedAssignment[]) =>
    new Map(
      some.flatMap(({ place, user, level }) =>
        people.of(user).keys.map((key) => [`${keyOfPlace(place)} ${key}`, level] as const),
      ),
    );
  const absent = levelsOf(recorded.filter(({ isAbsent }) => isAbsent));
  const all = levelsOf(recorded);
  return {
    isAbsent: (place, key) => absent.has(`${keyOfPlace(place)} ${key}`),
    levelOf: (place, key) => all.get(`${keyOfPlace(place)} ${key}`),
  };
}
