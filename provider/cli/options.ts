import { InvalidArgumentError, Option } from "commander";
import { ageIn, parseAge } from "../run/age";
import { defaultStack } from "../text/stack-commands";

/** Loads what a command does when it runs: others start sooner without it. */
export const later =
  <Given extends readonly unknown[]>(load: () => Promise<(...given: Given) => unknown>) =>
  async (...given: Given): Promise<void> => {
    await (await load())(...given);
  };

export const collectValues = (value: string, before: readonly string[] = []): string[] => [...before, value];

export const stackOption = [
  "--stack <name>",
  "stack that records what is managed, such as main or ORGANIZATION/PROJECT/main of a service",
  parseStack,
  defaultStack,
] as const;

export const sinceOption = ["--since <when>", "first day (UTC), time or version, such as 2026-07-01"] as const;
export const untilOption = ["--until <when>", "last day (UTC), time or version"] as const;

export const versionsOption = [
  "--versions <folder>",
  "read a copy of .pulumi/history/PROJECT/STACK of a bucket or database, without an engine",
] as const;

/** Refuses names that the engine would refuse without saying what is allowed, or read as an option (a hyphen in front). */
export function parseStack(name: string): string {
  const parts = name.split("/");
  const isName = (part: string) => /^[A-Za-z0-9_.][\w.-]{0,99}$/.test(part) && !/^\.+$/.test(part);
  if (parts.length <= 3 && parts.every(isName)) return name;
  throw new InvalidArgumentError(
    "Use at most 100 letters, digits, hyphens, underscores and periods, alone or after ORGANIZATION/PROJECT/.",
  );
}

export const planAgeOption = [
  "--plan-age <age>",
  "with --plan: refuse a plan that is older, in days or hours such as 3d or 12h; default: DOCS_PLAN_AGE, otherwise 7d",
  parsePlanAge,
] as const;

function parsePlanAge(text: string): string {
  if (parseAge(text) !== undefined) return text;
  throw new InvalidArgumentError("Use days or hours, such as 3d or 12h.");
}

export const reportFormats = ["text", "markdown", "html", "json"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export const formatOption = (usual: ReportFormat, formats: readonly string[] = reportFormats): Option =>
  new Option("--format <format>", "output format").choices(formats).default(usual);

/** `aged` are names that need an age, such as `expiring=30d`, which no list of choices can have. */
export const failOnOption = (
  when: string,
  choices: readonly string[],
  aged: readonly string[] = ["expiring"],
): Option => {
  const examples = aged.map((name) => `${name}=30d`);
  return new Option("--fail-on <what>", `exit with status 2 if ${when} (repeatable)`)
    .choices([...choices, ...examples])
    .argParser((text: string, before: readonly string[] = []) => {
      if (choices.includes(text) || aged.some((name) => ageIn(text, name) !== undefined)) return [...before, text];
      throw new InvalidArgumentError(
        `Use ${choices.join(", ")}, or ${examples.join(" or ")}, with an age in hours, days or weeks.`,
      );
    });
};

export const orExpiring = "or something is expiring=30d";

/** The longest age that `--fail-on` names, of what it has that ends. */
export function askedAge(failOn: readonly string[] = []): number | undefined {
  const ages = failOn.flatMap((text) => ageIn(text, "expiring") ?? []);
  return ages.length > 0 ? Math.max(...ages) : undefined;
}

/** `also` continues the help text: further cases in which `risk` and `change` end with status 2. */
export const failOnReviewOption = (also = ""): Option =>
  failOnOption(`there is a risk, or any change, drift included${also}, ${orExpiring}`, ["risk", "change"]);

export const pageOption = ["--page <file>", "also write the review to this file, as an HTML page"] as const;

export const teamOption = (verb: string, more = "") =>
  [
    "--team <id>",
    `also ${verb} this team; needed for teams without members, which the API cannot list (repeatable)${more}`,
    collectValues,
  ] as const;
