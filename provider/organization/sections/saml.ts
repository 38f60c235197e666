import { z } from "zod";
import { byPower } from "../../access-plan/place";
import type { SamlProvider } from "../../api/groups/saml";
import { certificatesIn } from "../../resources/saml-provider/certificate";
import { samlProvider } from "../../resources/saml-provider/saml-provider";
import type { Context } from "../../run/context";
import type { Properties } from "../../run/properties";
import { nearest } from "../../text/mistakes";
import { safeText } from "../../text/safe-text";
import { type Drafting, declarable, describeObject, draftEntries } from "../drafts/drafting";
import { type Fields, type FileMistake, fieldsAt, fieldsIn, hasFields, listTeamIds } from "./checks";
import { compare, mapOf, mostListed, objectId, protect, resourceName, withName } from "./parts";
import type { Section } from "./section";

type Live = readonly SamlProvider[];

export interface UnmanagedProvider {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  /** The role of people after their first sign-in with the provider. */
  readonly defaultRole: string;
}

const declaredProvider = samlProvider.inputs.omit({ organizationId: true }).extend({
  id: objectId,
  certificateFile: z
    .string()
    .min(1)
    .max(500)
    .describe(
      "File with the certificate, instead of `certificate`. The path is relative to the file that contains it, and must stay in the folder of the organization's file.",
    )
    .optional(),
  protect,
});

export const saml = {
  shape: { saml: mapOf(resourceName, declaredProvider, "SAML identity providers by name.").optional() },
  findMistakes: findSecondCertificates,
  findMissing: findUnknownTeams,
  declareChildren: ({ saml = {} }) =>
    Object.entries(saml).map(([key, { id, protect, certificateFile: _, ...inputs }]) => {
      return { resource: "SamlProvider", key, inputs, id, protect };
    }),
  live: {
    list: listProviders,
    readGuarded: (context, { recorded }): Promise<Live> => {
      const manages = recorded.some(({ resource }) => resource === "SamlProvider");
      return manages ? listProviders(context) : Promise.resolve([]);
    },
  },
  writing: {
    nameObjects: (live) => ({ kind: "saml", things: live.map(({ id, label }) => ({ id, title: label })) }),
    draft: (drafting) => draftEntries(drafting, drafting.live, (one, name) => draftProvider(one, name, drafting)),
  },
  audit: {
    kind: "saml" as const,
    one: "SAML provider",
    many: "SAML providers",
    subjects: { saml: { prefix: "SAML provider ", absence: "does not exist" } },
    listObjects: (live) =>
      live.map(({ id, label, status, defaultRole }) => ({
        subject: { kind: "saml", id },
        shown: { id, label, status, defaultRole: defaultRole ?? "guest" },
      })),
    order: (a, b) => byPower(a.defaultRole, b.defaultRole) || compare(a.label, b.label),
    symbol: "⇥",
    severityOf: () => "medium",
    describe: ({ label, id, status, defaultRole }) =>
      safeText`${withName(label, id)}: ${status}; role after the first sign-in: ${defaultRole}`,
  },
} satisfies Section<Live, undefined, UnmanagedProvider>;

function listProviders({ client, organizationId }: Context): Promise<Live> {
  return client.listSamlProviders({ organizationId, query: { limit: mostListed } }).all();
}

/** Not a rule of the schema, because zod checks the rules of an object only if none of its properties has a mistake. */
function findSecondCertificates(file: Fields): FileMistake[] {
  return Object.entries(fieldsAt(file, "saml")).flatMap(([name, declared]): FileMistake[] => {
    const { certificate, certificateFile } = fieldsIn(declared);
    if (certificate === undefined || certificateFile === undefined) return [];
    return [{ path: ["saml", name, "certificateFile"], text: "use either certificate or certificateFile" }];
  });
}

/** Without `teams`, the file does not know the ids of teams, so any id may be right. */
function findUnknownTeams(file: Fields): FileMistake[] {
  if (!hasFields(file.teams)) return [];
  const teamIds = listTeamIds(file);
  return Object.entries(fieldsAt(file, "saml")).flatMap(([name, declared]): FileMistake[] => {
    const { defaultTeam: team } = fieldsIn(declared);
    if (typeof team !== "string" || teamIds.includes(team)) return [];
    const guess = nearest(team, teamIds);
    const hint = guess
      ? `did you mean "${guess}"?`
      : `add the team to teams by its id; a team with only a title is not managed`;
    return [{ path: ["saml", name, "defaultTeam"], text: `"${team}" is not in teams; ${hint}` }];
  });
}

function draftProvider(
  live: SamlProvider,
  name: string,
  { before: { teams = {} }, texts, notes }: Drafting<Live, undefined>,
): Properties | undefined {
  const what = describeObject("SAML provider", live.label, live.id);
  const { label } = live;
  const values = samlProvider.lifecycle.values(live, { label });
  const { certificate, defaultTeam, ...others } = declarable(what, declaredProvider, { id: live.id, ...values }, notes);
  if (others.label === undefined) return undefined;
  // `before.teams` includes teams without people. The loader would refuse the id of any other team.
  const isKnownTeam = Object.hasOwn(teams, String(defaultTeam));
  if (defaultTeam !== undefined && !isKnownTeam)
    notes.push(`${what}: defaultTeam is left out: team ${defaultTeam} does not exist, or a file cannot contain its id`);
  const file = `certs/${name}.pem`;
  if (certificate !== undefined) texts.set(file, cleanCertificate(String(certificate)));
  return {
    ...others,
    ...(isKnownTeam && { defaultTeam }),
    ...(certificate !== undefined && { certificateFile: file }),
  };
}

const onlyCertificates = /^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** The certificates only: other text beside them may be a private key and must not be written to a file. */
const cleanCertificate = (text: string): string => (onlyCertificates.test(text) ? text : certificatesIn(text).join(""));
