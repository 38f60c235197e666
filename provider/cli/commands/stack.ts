import { type Command, Option } from "commander";
import {
  failOnReviewOption,
  formatOption,
  later,
  pageOption,
  planAgeOption,
  reportFormats,
  sinceOption,
  stackOption,
  teamOption,
  untilOption,
  versionsOption,
} from "../options";

function addPreview(program: Command): void {
  program
    .command("preview")
    .description(
      "Show what organization.yaml in this folder would change: who gains or loses access, and what is risky.",
    )
    .addOption(formatOption("text"))
    .option("--plan <file>", "also write every change to this file, for docs-org up --plan")
    .addOption(failOnReviewOption())
    .option(...pageOption)
    .option(...stackOption)
    .option("--yes", "install a missing Pulumi CLI without a question")
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN, and changes nothing.\n" +
        "Exit status: 0 when the review was written; 2 for --fail-on; 1 when the preview was refused, or there is none.",
    )
    .action(later(async () => (await import("../actions/stack.js")).preview));
}

function addUp(program: Command): void {
  program
    .command("up")
    .description("Show what organization.yaml in this folder would change, ask, and make exactly this change.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(
      "--plan <file>",
      "only make changes of this plan, which docs-org preview --plan wrote for a review; default: DOCS_PLAN",
    )
    .addOption(
      new Option(
        "--only <what>",
        "only begin and end grants whose lines were reviewed: those that the last up had as they are",
      ).choices(["grants"]),
    )
    .option(...planAgeOption)
    .option("--accept-incomparable", "with --plan: go on even if a part cannot be compared, as docs-org verify says it")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN.\n" +
        "Exit status: 0 when the change was made, or nothing was to do, or the answer was no; 2 when --plan does not have a change; 3 when a part cannot be compared; 1 for all other failures.",
    )
    .action(later(async () => (await import("../actions/stack.js")).up));
}

function addDestroy(program: Command): void {
  program
    .command("destroy")
    .description("List the people that the stack releases and the objects that it deletes, ask, and do so.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN. The stack itself stays, empty.\n" +
        "Exit status: 0 when everything was released and deleted, or the answer was no; 1 for failures.",
    )
    .action(later(async () => (await import("../actions/stack.js")).destroy));
}

function addCancel(program: Command): void {
  program
    .command("cancel")
    .description("Remove the lock that a killed run has left on the stack, so that other runs can change it.")
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nMake sure that the run has ended: this removes the lock of a running one, too. Changes nothing at the service.\n" +
        "Exit status: 0 when the stack has no lock, or the answer was no; 1 for failures.",
    )
    .action(later(async () => (await import("../actions/stack.js")).cancel));
}

function addOutputs(program: Command): void {
  program
    .command("outputs")
    .description(
      "Print what others need of the stack: ids, addresses and hostnames of sites, and URLs of SAML providers.",
    )
    .addOption(new Option("--format <format>", "output format").choices(["text", "json", "shell"]).default("text"))
    .option(...stackOption)
    .option("--yes", "install a missing Pulumi CLI without a question")
    .addHelpText(
      "after",
      "\nReads the state of the stack alone; shell prints lines such as SITES_GUIDE_HOSTNAME='docs.acme.test'.\n" +
        "Exit status: 0 when the values were printed; 1 when there is no stack, or two values have one variable.",
    )
    .action(later(async () => (await import("../actions/outputs.js")).printOutputs));
}

function addHistory(program: Command): void {
  program
    .command("history")
    .description(
      "Show who had what, since when and by which change, from the versions of the state that the backend keeps.",
    )
    .argument("[person]", "only this person, by e-mail or user id, with what the person has at the end")
    .option("--team <team>", "only this team, by id or title")
    .option("--site <site>", "only this site, by id or title")
    .option(...sinceOption)
    .option(...untilOption)
    .option("--compare <from to...>", "only what differs between two versions, or the ends of two days")
    .option(...versionsOption)
    .addOption(formatOption("text", [...reportFormats, "csv"]))
    .option(...stackOption)
    .option("--yes", "install a missing Pulumi CLI without a question")
    .addHelpText(
      "after",
      "\nReads the state alone, and prints no secrets. A change outside Pulumi has the time at which a run first saw it.\n" +
        "CSV has the changes of access and the gaps, not the changes of sites and other objects.\n" +
        "Exit status: 0 when the history was printed; 1 when there is none, or it cannot be read.",
    )
    .action(later(async () => (await import("../actions/history.js")).history));
}

function addTakeOver(program: Command): void {
  program
    .command("take-over")
    .description(
      "Bring a live organization under management: write organization.yaml if there is none, import what it declares and the stack does not have, and preview.",
    )
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(...teamOption("take over", "; only if there is no organization.yaml, which declares it otherwise"))
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORGANIZATION_ID, and changes nothing at the service.\n" +
        "An existing organization.yaml stays as it is. After an interruption, run it again: it goes on.\n" +
        "Exit status: 0 when the organization is managed, or the answer was no; 2 when the preview afterwards shows a change; 1 for all other failures.",
    )
    .action(later(async () => (await import("../actions/take-over.js")).takeOver));
}

function addState(program: Command): void {
  program
    .command("state")
    .description("The state of the stacks, which records what is managed.")
    .command("move")
    .description(
      "Copy all stacks to another backend, compare both, mark a local state as moved, and name the backend in organization.yaml.",
    )
    .argument(
      "<url>",
      "the backend without a password, such as s3://BUCKET, postgres://HOST/DATABASE or file:///FOLDER",
    )
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .addHelpText(
      "after",
      "\nSends nothing to the service. If it was killed, run it again: it goes on.\n" +
        "Exit status: 0 when the state was moved, or the answer was no; 1 for failures.",
    )
    .action(later(async () => (await import("../actions/state.js")).moveState));
}

function addTidy(program: Command): void {
  program
    .command("tidy")
    .description(
      "Remove the lines of people who have left, and of ended grants, from organization.yaml, or write the level that followed the grant.",
    )
    .option("--yes", "do not ask, and install a missing Pulumi CLI")
    .option(...stackOption)
    .addHelpText(
      "after",
      "\nReads DOCS_BASE_URL and DOCS_TOKEN. Changes organization.yaml and the files that it includes, and nothing at the service.\n" +
        "Exit status: 0 when the lines were edited, or there is none, or the answer was no; 1 when the preview was refused.",
    )
    .action(later(async () => (await import("../actions/tidy.js")).tidy));
}

/** The commands for the organization of a folder, in a stack, as the help lists them. */
export const stackCommands = [
  addPreview,
  addUp,
  addDestroy,
  addCancel,
  addTidy,
  addTakeOver,
  addOutputs,
  addHistory,
  addState,
];
