import { join } from "node:path";
import { ComponentResource, CustomResource } from "@pulumi/pulumi";
import {
  LocalWorkspace,
  PulumiCommand,
  Stack,
  StackAlreadyExistsError,
  StackNotFoundError,
} from "@pulumi/pulumi/automation";
import type { Engine } from "../engine/find";
import { sdkVersion } from "../engine/version";
import type { DueGrants } from "../organization/due-grants";
import { organizationYaml } from "../organization/file/loader";
import { Organization } from "../organization/remote-component";
import { notesType } from "../organization/sections";
import { knownValue } from "../program/sdk-internals";
import { readEvidence } from "../report/evidence";
import { notesName } from "../review/model/component-notes";
import { packageVersion } from "../run/package";
import type { Properties } from "../run/properties";
import { Settings } from "../run/settings";
import { organizationType } from "../run/urn";
import type { Project } from "./project";

/** The project for the engine. `variables` are those of its commands, beside the usual ones. */
export function openWorkspace(
  engine: Engine,
  { name, root, folder }: Project,
  variables: Readonly<Record<string, string>> = {},
): Promise<LocalWorkspace> {
  // The Automation API finds the CLI on the PATH of this process. All gRPC here is on this machine, and a lower-case https_proxy
  // would redirect it.
  Object.assign(process.env, engine.environment, { no_grpc_proxy: "127.0.0.1,localhost" });
  const file = join(root, organizationYaml);
  return LocalWorkspace.create({
    workDir: folder,
    program: async () => void new Organization(name, { file }),
    envVars: {
      ...lessGarbageCollection,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      // A streamed preview is not one JSON document.
      PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false",
      ...passphraseIn(process.env),
      ...variables,
    },
    pulumiCommand: commandOf(engine),
  });
}

class DeclaredResource extends CustomResource {}

/** The notes of the organization with their recorded inputs, and with new outputs. */
class Notes extends ComponentResource {
  constructor(parent: ComponentResource, name: string, inputs: Properties, outputs: Properties) {
    super(notesType, name, inputs, { parent });
    this.registerOutputs(outputs);
  }
}

/** A program that declares only the resources of these grants, so the file is not read. */
export async function grantsProgram(project: string, { resources, notes, appliedAfter }: DueGrants): Promise<void> {
  const parent = new ComponentResource(organizationType, project);
  const options = { parent, version: packageVersion };
  const registrations = [...resources].map(async ([end, inputs]) => {
    if (inputs) {
      const [type = "", name = ""] = end.split("::");
      const { urn } = new DeclaredResource(type, name, inputs, options);
      // The engine reports what has failed.
      await knownValue(urn);
    }
    return end;
  });
  const outcomes = await Promise.allSettled(registrations);
  const made = outcomes.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  new Notes(parent, notesName(project), notes, { applied: appliedAfter(new Set(made)) });
}

/**
 * The passphrase for a stack that is not kept by a service. Without one, the CLI would ask and fail. An empty one is right here,
 * because nothing in the state is secret: tokens are read from the environment and never recorded.
 */
function passphraseIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const variables = ["PULUMI_CONFIG_PASSPHRASE", "PULUMI_CONFIG_PASSPHRASE_FILE"];
  const isSet = variables.some((name) => environment[name] !== undefined);
  return isSet ? {} : { PULUMI_CONFIG_PASSPHRASE: "" };
}

/**
 * With a large stack, the engine, a program in Go, takes a quarter of its time to collect garbage, and the provider a fifth. With
 * these settings, they use more memory instead. Settings of the user come first.
 */
const lessGarbageCollection = {
  GOGC: process.env.GOGC ?? "400",
  GOMEMLIMIT: process.env.GOMEMLIMIT ?? "2GiB",
  NODE_OPTIONS: `--max-semi-space-size=32 ${process.env.NODE_OPTIONS ?? ""}`.trim(),
};

/**
 * The engine records that files were not committed, and counts each new one, such as a plan. With these variables, it does so only if
 * the evidence of reviews does: a new file may be a part of the declaration.
 */
export function ignoringNewFiles(root: string): Record<string, string> {
  if (readEvidence(new Settings(), {}, root).uncommitted) return {};
  const count = Number(process.env.GIT_CONFIG_COUNT ?? 0);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "status.showUntrackedFiles",
    [`GIT_CONFIG_VALUE_${count}`]: "no",
  };
}

export async function findStack(workspace: LocalWorkspace, name: string): Promise<Stack | undefined> {
  try {
    return withoutHistory(await Stack.select(name, workspace));
  } catch (error) {
    if (error instanceof StackNotFoundError) return undefined;
    throw error;
  }
}

/** Another run may have made the stack since `findStack`. `createOrSelect` would fail if that run makes it just now. */
export async function makeStack(workspace: LocalWorkspace, name: string): Promise<Stack> {
  try {
    return withoutHistory(await Stack.create(name, workspace));
  } catch (error) {
    if (error instanceof StackAlreadyExistsError) return withoutHistory(await Stack.select(name, workspace));
    throw error;
  }
}

/** After each change, the API asks for the last entry of the stack's history. It takes up to a second, and nothing uses the answer. */
function withoutHistory(stack: Stack): Stack {
  stack.info = async () => undefined;
  return stack;
}

/**
 * The CLI on the PATH of this process, for the Automation API, which would start it once more to ask for its version. The
 * constructor is private (seen in 3.270).
 */
const commandOf = ({ version }: Engine): PulumiCommand =>
  Reflect.construct(PulumiCommand, ["pulumi", sdkVersion(version)]);
