import { existsSync } from "node:fs";
import { discoverTeams, type KnownTeam } from "../../access/discovery";
import { membersOf } from "../../access/members";
import { ascendingRoles } from "../../access-plan/place";
import { listAccess } from "../../access-report/access-list";
import { type AccessCondition, conditionOf, findMatches } from "../../access-report/conditions";
import { accessFormats } from "../../access-report/formats";
import type { AccessList, PersonAccess } from "../../access-report/report";
import { withSpaces } from "../../access-report/spaces";
import { DocsError } from "../../api/http/errors";
import { declaredOrganization } from "../../deployment/project";
import type { History } from "../../history/history";
import { sinceIn } from "../../history/select";
import { loadOrganization, organizationYaml } from "../../organization/file/loader";
import type { OrganizationPeople } from "../../organization/live/live";
import { sameUser } from "../../people/user";
import { evidenceText } from "../../report/evidence";
import { type Context, connectBySettings, explained } from "../../run/context";
import type { Evidence } from "../../run/evidence";
import { refuseOtherServices } from "../../run/origin";
import { nearestUser, quoted } from "../../text/mistakes";
import { counted } from "../../text/safe-text";
import { defaultStack } from "../../text/stack-commands";
import { visible } from "../../text/visible";
import type { ReportFormat } from "../options";
import { print, StatusError, tell } from "../output";
import { evidenceWith, readHistory } from "./history";
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
  readonly stack?: string;
  readonly versions?: string;
}

export async function access(options: Options): Promise<void> {
  const asked = (options.failOn ?? []).map(conditionOf);
  const { stack = defaultStack, versions } = options;
  const isWithHistory = options.stack !== undefined || versions !== undefined;
  const history = isWithHistory ? await readHistory({ stack, versions }) : undefined;
  const { list, evidence } = await readAccessReport(options, asked, history);
  if (options.format === "csv") tell(evidenceText(evidence));
  await print(accessFormats[options.format](list, evidence));
  const texts = asked.flatMap((one) => {
    const met = new Set(list.findings.flatMap(({ condition, people }) => (isNamed(condition, one) ? people : [])));
    return met.size === 0 ? [] : [`${counted(met.size, "person", "people")} (--fail-on ${one.text})`];
  });
  if (texts.length > 0) throw new StatusError(`found ${texts.join("; ")}`);
}

const isNamed = (condition: string, { text, kind }: AccessCondition): boolean =>
  condition === text || (condition === "ended" && kind === "expiring");

/** Everybody with access. With a history of the stack, also since when. */
export async function readAccessReport(
  options: Filters & Pick<Options, "spaces">,
  asked: readonly AccessCondition[],
  history?: History,
): Promise<{ readonly list: AccessList; readonly evidence: Evidence }> {
  const context = await connectInFolder();
  if (history) refuseOtherOrganization(context, history);
  const { run, organizationId } = context;
  const now = run.settings.now();
  const hasFile = existsSync(organizationYaml);
  const file = hasFile ? loadOrganization(organizationYaml, { now, mayLackAdmins: true }) : undefined;
  const known = Object.keys(file?.organization.teams ?? {}).map((id) => ({ id }));
  const live = await readLivePeople(context, options.team ?? [], known);
  const everybody = listAccess(live, { file, now, sinceOf: history && sinceIn(history) });
  refuseUnknown(everybody, options);
  const listed = everybody.filter((one) => fits(one, options));
  const people = options.spaces ? await readSpaces(context, listed) : listed;
  const list: AccessList = {
    version: 1,
    organization: organizationId,
    ...(hasFile && { file: organizationYaml }),
    filters: filterNames.flatMap((name) => (options[name] ?? []).map((value) => `--${name} ${value}`)),
    findings: findMatches(asked, people, now),
    people,
  };
  return { list, evidence: evidenceWith(history, organizationId) };
}

const filterNames = ["person", "team", "role"] as const;

/** Refuses versions of a stack whose organization or service is not the one that is read. */
function refuseOtherOrganization({ run, organizationId }: Context, { stack, organizations, services }: History): void {
  refuseOtherServices(run, services);
  if (organizations.size === 0 || organizations.has(organizationId)) return;
  throw new DocsError(
    `the versions of ${visible(stack)} are of organization ${visible([...organizations].join(", "))}, and the access is of ${visible(organizationId)}; name the stack or the versions of this organization`,
  );
}

const readSpaces = (context: Context, people: readonly PersonAccess[]): Promise<readonly PersonAccess[]> =>
  withProgress(({ count: progress }) => explained(context, () => withSpaces(context, people, { tell, progress })));

/** Connects to the organization that the folder declares, or that the settings name. */
export const connectInFolder = () =>
  connectBySettings(existsSync(organizationYaml) ? declaredOrganization(process.cwd(), process.env).id : undefined);

/** A mistyped filter must not look like one that fits nobody. */
function refuseUnknown(people: readonly PersonAccess[], options: Filters): void {
  const levels = people.flatMap(({ role: { level = [] } }) => level);
  const known = { person: people.flatMap(namesOf), role: [...new Set([...ascendingRoles, ...levels])] };
  for (const name of ["person", "role"] as const) {
    const unknown = options[name]?.find((one) => !known[name].some((each) => sameUser(each, one)));
    if (unknown === undefined) continue;
    const guess = name === "person" ? nearestUser(unknown, known.person) : known.role.join(", ");
    throw new DocsError(
      `--${name} ${quoted(unknown)}: the list has none; use ${visible(guess ?? "an e-mail or id in it")}`,
    );
  }
}

const namesOf = ({ userId, name }: PersonAccess): string[] => (userId === undefined ? [name] : [userId, name]);

/** Reads the members of the organization and of its teams, also of those that have nobody and are in `teamIds` or `known`. */
export const readLivePeople = (
  context: Context,
  teamIds: readonly string[],
  known: readonly KnownTeam[] = [],
): Promise<OrganizationPeople> =>
  withProgress(({ count: progress }) =>
    explained(context, async () => {
      const members = await membersOf(context).all();
      const teams = await discoverTeams(context, members, { teamIds, known, progress });
      return { organizationId: context.organizationId, members, teams };
    }),
  );

/** Whether a person fits each kind of filter: one of the given people, teams and roles. */
function fits(one: PersonAccess, { person, team, role }: Filters): boolean {
  return (
    (!person || person.some((wanted) => namesOf(one).some((name) => sameUser(name, wanted)))) &&
    (!team || one.teams.some((place) => team.includes(place.team?.id ?? ""))) &&
    (!role || role.includes(one.role.level ?? ""))
  );
}
