import { existsSync } from "node:fs";
import type { Command } from "commander";
import { discoverTeams, type KnownTeam } from "../../access/discovery";
import { membersOf } from "../../access/members";
import { listAccess } from "../../access-report/access-list";
import { type Condition, findMatches, parseCondition } from "../../access-report/conditions";
import { formats } from "../../access-report/formats";
import type { AccessList, PersonAccess } from "../../access-report/report";
import { withSpaces } from "../../access-report/spaces";
import { declaredOrganization } from "../../deployment/project";
import { loadOrganization, organizationYaml } from "../../organization/file/loader";
import type { LivePeople } from "../../organization/live/live";
import { sameUser } from "../../people/user";
import { evidenceWords, readEvidence } from "../../report/evidence";
import { type Context, connectBySettings, explained } from "../../run/context";
import { counted, plain } from "../../text/safe-text";
import { visible } from "../../text/visible";
import type { ReportFormat } from "../options";
import { print, tell } from "../output";
import { withProgress } from "./progress";

interface Filters {
  readonly person?: readonly string[];
  readonly team?: readonly string[];
  readonly role?: readonly string[];
}

interface Options extends Filters {
  readonly format: ReportFormat | "csv";
  readonly spaces?: true;
  readonly failOn?: readonly string[];
}

export async function access(options: Options, command: Command): Promise<void> {
  const asked = (options.failOn ?? []).map((text) => conditionOf(text, command));
  const hasFile = existsSync(organizationYaml);
  const context = await connectBySettings(hasFile ? declaredOrganization(process.cwd(), process.env).id : undefined);
  const { organizationId } = context;
  const now = context.run.settings.now();
  const file = hasFile ? loadOrganization(organizationYaml, { now }) : undefined;
  const known = Object.keys(file?.organization.teams ?? {}).map((id) => ({ id }));
  const live = await readLivePeople(context, options.team ?? [], known);
  const listed = listAccess(live, { file, now }).filter((one) => fits(one, options));
  const people = options.spaces
    ? await withProgress(({ count: progress }) =>
        explained(context, () => withSpaces(context, listed, { tell, progress })),
      )
    : listed;
  const list: AccessList = {
    version: 1,
    organization: organizationId,
    asOf: now.toISOString(),
    ...(hasFile && { file: organizationYaml }),
    filters: (["person", "team", "role"] as const).flatMap((name) =>
      (options[name] ?? []).map((value) => `--${name} ${value}`),
    ),
    findings: findMatches(asked, people, now),
    people,
  };
  const evidence = readEvidence(context.run.settings, { organization: organizationId });
  if (options.format === "csv") tell(plain(evidenceWords(evidence)));
  await print(formats[options.format](list, evidence));
  const met = list.findings.filter(({ condition }) => asked.some(({ text }) => text === condition));
  const texts = met.map(
    ({ condition, people }) => `${counted(people.length, "person", "people")} (--fail-on ${condition})`,
  );
  if (met.length > 0) command.error(`found ${texts.join("; ")}`, { exitCode: 2 });
}

/** Reads the members of the organization and of its teams, also of those that have nobody and are in `teamIds` or `known`. */
export const readLivePeople = (
  context: Context,
  teamIds: readonly string[],
  known: readonly KnownTeam[] = [],
): Promise<LivePeople> =>
  withProgress(({ count: progress }) =>
    explained(context, async () => {
      const members = await membersOf(context).all();
      const teams = await discoverTeams(context, members, { teamIds, known, progress });
      return { organizationId: context.organizationId, members, teams };
    }),
  );

function conditionOf(text: string, command: Command): Condition {
  const allowed = "use undeclared-admin, no-sso, or inactive or expiring with an age such as inactive=90d";
  return parseCondition(text) ?? command.error(`--fail-on "${visible(text, 60)}": ${allowed}`, { exitCode: 2 });
}

/** Whether a person fits each kind of filter: one of the given people, teams and roles. */
function fits(one: PersonAccess, { person, team, role }: Filters): boolean {
  const names = [one.userId, one.name].filter((name) => name !== undefined);
  return (
    (!person || person.some((wanted) => names.some((name) => sameUser(name, wanted)))) &&
    (!team || one.teams.some((place) => team.includes(place.team?.id ?? ""))) &&
    (!role || role.includes(one.role.level ?? ""))
  );
}
