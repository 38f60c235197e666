import { type Giver, stringsIn } from "../access/assignments";
import { managementOf, type ResourceManager } from "../access/management";
import { describeSubject, type Subject, sitePart } from "../access/subject";
import type { Assignment, Declaration, Manager, RecordedAssignment } from "../access-plan/input";
import type { Place } from "../access-plan/place";
import { keptIn, othersOptions, type ReleaseOptions } from "../access-plan/release";
import { isEmail, userKey } from "../people/user";
import { containsUnknown, type Properties, propertiesIn } from "../run/properties";
import type { Run } from "../run/run";
import type { AnyDefinition } from "./definition";

/** The names of a resource, and its organization. */
export interface NamedResource extends Giver {
  /** Its URN, or its place in the program. */
  readonly id: string;
}

export interface ManagedProperties {
  /** The declared inputs; absent if the resource is deleted. Values may be masked. */
  readonly declared?: Properties | undefined;
  /** Its recorded inputs and outputs; absent if the resource is created. */
  readonly recorded?: Properties | undefined;
  /** Why a deletion only removes it from the state. */
  readonly retained?: string | undefined;
  /** What decides about releases is not visible. */
  readonly isHidden?: boolean;
  /** Assignments whose people are found already; by default, those of the properties. */
  readonly assignments?: { readonly declared: readonly Assignment[]; readonly recorded: readonly RecordedAssignment[] };
}

export type AccessDefinition = Pick<AnyDefinition, "review" | "wholeTeam">;

/** The manager that a resource is; `undefined` if it gives no access. */
export function managerOf(
  definition: AccessDefinition,
  named: NamedResource,
  properties: ManagedProperties,
): Manager | undefined {
  const access = definition.review?.access;
  if (!access) return undefined;
  const { declared, recorded, retained, isHidden, assignments } = properties;
  const area = wholePlace(definition, named.organization, declared ?? recorded ?? {});
  const given = declared && (assignments?.declared ?? access(declared, named));
  // An audit gives one state as both. Its assignments are computed once, because it may have thousands of people.
  const isSameAsDeclared = given !== undefined && recorded === declared;
  return {
    id: named.id,
    name: `${named.type} ${named.name}`,
    ...(area && { area }),
    ...(given && {
      declared: {
        assignments: given,
        options: optionsIn(declared),
        ...(Array.isArray(declared.ignore) && { ignore: stringsIn(declared.ignore) }),
        isExclusive: declared.exclusive === true,
        ...othersIn(declared),
        allowsNoOwner: declared.allowNoOwner === true,
        ...(isHidden && { isHidden }),
      },
    }),
    ...(recorded && {
      recorded: {
        assignments: assignments?.recorded ?? (isSameAsDeclared ? given : access(recorded, named)),
        options: optionsIn(recorded),
        allowsNoOwner: recorded.allowNoOwner === true,
        userIds: assignments ? {} : userIdsIn(recorded),
        ...(retained !== undefined && { retained }),
      },
    }),
  };
}

/** The manager that a resource is in its own handler, which does not get the names of resources. */
export const ownManager = (
  definition: AccessDefinition,
  organization: string,
  properties: ManagedProperties,
): Manager | undefined => managerOf(definition, { id: "own", type: "", name: "", organization }, properties);

/**
 * What a state has of a resource. `releasing` is the mark of a failed change of `user`: the role is then that of the outputs, or not
 * known, because the new user may not have got the one of the inputs.
 */
export const recordedProperties = ({
  inputs,
  outputs,
}: Readonly<Record<"inputs" | "outputs", Properties>>): Properties => ({
  ...inputs,
  ...outputs,
  ...("releasing" in outputs && { role: outputs.role }),
});

/** The options of releases have the same names in every resource. */
export const optionsIn = ({ onRelease, allowRaise, allowRaiseOf }: Properties) =>
  ({
    onRelease: onRelease ?? undefined,
    allowRaise: allowRaise === true,
    allowRaiseOf: stringsIn(allowRaiseOf),
  }) as ReleaseOptions;

/** The user ids that a state has for e-mails: of one person, or of many. */
function userIdsIn({ user, userId, userIds }: Properties): { [email: string]: string } {
  const links = [[user, userId], ...Object.entries(propertiesIn(userIds))];
  const knownLinks = links.filter((link): link is [string, string] => link.every((one) => typeof one === "string"));
  return Object.fromEntries(knownLinks.flatMap(([email, id]) => (isEmail(email) ? [[userKey(email), id]] : [])));
}

/** What `others` does with undeclared members; nothing if they stay as they are. */
function othersIn(properties: Properties): Pick<Declaration, "others" | "ignoreOthers"> {
  const { others, ignore } = properties;
  const { members, ignore: ignored } = propertiesIn(others);
  const option = othersOptions.find((one) => one === members);
  if (option === undefined || option === "keep") return {};
  return {
    others: option,
    ignoreOthers: [...stringsIn(ignored), ...stringsIn(ignore), ...keptIn(optionsIn(properties))],
  };
}

/** The place in which a resource manages everybody: a team, or with `others` the roles of the organization. */
export function wholePlace(
  { wholeTeam }: AccessDefinition,
  organization: string,
  properties: Properties,
): Place | undefined {
  if (wholeTeam) return { kind: "team", team: String(properties.teamId), organization };
  return othersIn(properties).others && { kind: "role", organization };
}

/** What a resource manages, as declared or as recorded, by all names: without people that it must still release or has only found. */
export function subjectsIn(
  { name: type, review, sitePart: part }: AnyDefinition,
  organization: string,
  { releasing: _, ...properties }: Properties,
): Subject[] {
  if (part) return [sitePart(organization, String(properties.siteId), part)];
  const links = Object.entries(userIdsIn(properties));
  const otherNames = new Map([...links, ...links.map(([email, id]) => [id, email] as const)]);
  const namesOf = (user: string) => [user, otherNames.get(userKey(user)) ?? user];
  const assignments = review?.access?.(properties, { type, name: "", organization }) ?? [];
  return assignments
    .filter(({ place, isFound }) => place.kind !== "sso" && !isFound)
    .flatMap(({ place, user }) => namesOf(user).map((name) => ({ place, name })));
}

/**
 * Declares what a resource of the program manages. Returns the refusal if another resource already manages one of its subjects,
 * with the names of both. Duplicates that only ids reveal are refused later (see two-names.ts).
 */
export function declareManager(
  run: Run,
  definition: AnyDefinition,
  manager: ResourceManager,
  declared: Properties,
): string | undefined {
  // Other mistakes in the inputs are reported by check, on their property.
  if (containsUnknown(declared) || !definition.inputs.safeParse(declared).success) return undefined;
  const management = managementOf(run);
  // If no organization is configured, all resources without a declared one belong to the same organization.
  const organizationId = String(declared.organizationId ?? run.settings.organizationId() ?? "");
  const isOther = (other: ResourceManager | undefined): other is ResourceManager =>
    !!other && other.position !== manager.position;
  const whole = wholePlace(definition, organizationId, declared);
  if (whole) {
    // Beside `others`, further resources may declare people.
    const isTeam = whole.kind === "team";
    const other = management.managerOfWhole(whole) ?? (isTeam ? management.anyManagerIn(whole) : undefined);
    if (isOther(other)) return refusal(manager, other, isTeam ? `team ${whole.team}` : "undeclared members (others)");
    management.declareWhole(whole, manager);
  }
  for (const subject of subjectsIn(definition, organizationId, declared)) {
    const managerOfTeam = subject.place.kind === "team" ? management.managerOfWhole(subject.place) : undefined;
    const other = management.declarerOf(subject) ?? managerOfTeam;
    if (isOther(other)) return refusal(manager, other, describeSubject(subject));
    management.declare([subject], manager);
  }
  return undefined;
}

const refusal = (own: ResourceManager, other: ResourceManager, what: string): string =>
  `${own.name} and ${other.name} both manage ${what}, and each would undo the changes of the other; remove one of them`;
