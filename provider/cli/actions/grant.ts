import { readTeams } from "../../access/discovery";
import { membersOf } from "../../access/members";
import { DocsError } from "../../api/http/errors";
import { declaredOrganization } from "../../deployment/project";
import { editEntries } from "../../organization/file/edit-entries";
import { editWords, entryChanges, positionFor } from "../../organization/file/line-edits";
import { loadOrganization, organizationYaml, readPositions } from "../../organization/file/loader";
import { planGrant, type WantedGrant } from "../../organization/grant-line";
import { connectBySettings, explained } from "../../run/context";
import { replaceFile } from "../../run/files";
import { print } from "../output";

export async function grant(
  person: string,
  role: string,
  options: Omit<WantedGrant, "person" | "role">,
): Promise<void> {
  const { team } = options;
  const context = await connectBySettings(declaredOrganization(process.cwd(), process.env).id);
  const now = context.run.settings.now();
  // The guards may miss an administrator since another grant has ended, and the new line may be the one.
  const { organization: file } = loadOrganization(organizationYaml, { now, mayLackAdmins: true });
  const isDeclared = team !== undefined && Object.hasOwn(file.teams ?? {}, team);
  const [members, teams] = await explained(context, async () => [
    await membersOf(context).all(),
    isDeclared ? await readTeams(context, [team]) : [],
  ]);
  const levelInTeam = (id: string) => teams[0]?.people.find(({ userId }) => userId === id)?.role;
  const edit = planGrant({ person, role, ...options }, { file, now, members, levelInTeam });
  if (typeof edit === "string") throw new DocsError(`no grant was written: ${edit}`);
  const at = positionFor(edit, readPositions(organizationYaml));
  if (!at) throw new DocsError(`no grant was written: the file lists nobody there yet; write the first line by hand`);
  const placed = { ...edit, at };
  for (const [{ path }, text] of editEntries(entryChanges([placed]))) replaceFile(path, text);
  const lines = [editWords(placed), ...edit.notes, "Look at the diff, and run docs-org preview."];
  await print(`${lines.join("\n")}\n`);
}
