/** Helpers for unit tests of programs: `import { mockOrganization } from "pulumi-docs-org/testing"`. */
import { runtime } from "@pulumi/pulumi";
import * as definitions from "../definitions";
import { type EmulatorOptions, startEmulator } from "../emulator";
import type { Fault } from "../emulator/server/faults";
import { programResults, waitForRegistrations } from "../hosts/dynamic/component-results";
import * as lookups from "../lookups";
import type { Lookup } from "../lookups/lookup";
import { ask } from "../program/ask";
import { useSettings } from "../program/program-run";
import { typeIn } from "../run/urn";
import { outputsOfMock } from "./outputs";

/** A running emulator, as `startEmulator` of `pulumi-docs-org/emulator` returns it. */
export interface StartedEmulator {
  readonly url: string;
  readonly token: string;
  readonly organizationId: string;
}

export interface MockOptions {
  /** Used instead of a new emulator, and not stopped. `seed`, `organizationId` and `answers` apply only to a new one. */
  readonly emulator?: StartedEmulator;
  /** The live organization: people, teams, sites, ...; by default, a built-in one. */
  readonly seed?: object;
  /** One of the seed's organizations, by default its first; without a seed, the name of the built-in one (`acme`). */
  readonly organizationId?: string;
  /** Complete answers that replace the emulator's, by function of the client: `{ getSite: { ... } }`. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Whether the program runs as in a preview; false by default. */
  readonly preview?: boolean;
  readonly project?: string;
  readonly stack?: string;
  /** The recorded resources by URN, with which `docs.Organization` compares; none by default. */
  readonly recorded?: Readonly<Record<string, { readonly outputs?: Record<string, unknown> }>>;
  /** Mocks of resources and functions of other packages. */
  readonly mocks?: runtime.Mocks;
}

export interface MockedOrganization {
  /** Every resource that the program has declared, in that order, with its plain inputs. */
  readonly resources: readonly runtime.MockResourceArgs[];
  /** The emulator that lookups and guards send requests to. */
  readonly emulator: StartedEmulator;
  /**
   * Waits until everything that the program declares is registered; rejects if the guards of a `docs.Organization` refuse it. Call it
   * right after the program was built: `await assert.rejects(mocked.settled(), /the last administrator/)`.
   */
  settled(): Promise<void>;
  /** Stops the emulator, unless the test has started it. */
  close(): Promise<void>;
}

/**
 * Prepares a test of a program without an engine and without a network. Call it before the test builds the program: resources
 * are mocked, and lookups and guards send their requests to an emulator in this process.
 */
export async function mockOrganization(options: MockOptions = {}): Promise<MockedOrganization> {
  const { preview = false, project = "project", stack = "stack" } = options;
  const started = options.emulator ? undefined : await startOwnEmulator(options);
  const { url, token, organizationId } = options.emulator ?? (started as StartedEmulator);
  const emulator = { url, token, organizationId };
  const resources: runtime.MockResourceArgs[] = [];
  // The last argument is the organization in Pulumi's own service. It is "organization" with every other backend.
  await runtime.setMocks(mocksOf(options, resources), project, stack, preview, "organization");
  useSettings({ DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORGANIZATION_ID: organizationId });
  const outcome = programResults();
  return {
    resources,
    emulator,
    settled: () => waitForRegistrations(outcome),
    close: async () => started?.close(),
  };
}

const always = 1_000_000;

/** The emulator validates the seed and the answers, and reports mistakes in them. */
async function startOwnEmulator({ seed, organizationId, answers = {} }: MockOptions) {
  const emulator = await startEmulator({ seed, organizationId } as EmulatorOptions);
  try {
    for (const [row, body] of Object.entries(answers))
      emulator.fault({ row, body, status: 200, times: always } as Fault);
    return emulator;
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

/** The definitions by the types of their resources: that of the dynamic host, and that of the plugin. */
const byType = new Map(
  Object.values(definitions).flatMap((definition) =>
    (["dynamic", "plugin"] as const).map((host) => [typeIn(host, definition.name), definition] as const),
  ),
);

/** A lookup with a provider object is a call of the plugin. These are the lookups by the names of these calls. */
const lookupsByToken = new Map(Object.values<Lookup>(lookups).map((one) => [typeIn("plugin", one.name), one]));

async function answerOfPlugin(lookup: Lookup, args: Record<string, unknown>): Promise<object> {
  const answer: unknown = await ask(lookup, args);
  return Array.isArray(answer) ? { items: answer } : Object(answer);
}

function mocksOf({ mocks, recorded = {} }: MockOptions, resources: runtime.MockResourceArgs[]): runtime.Mocks {
  return {
    newResource(args) {
      const definition = byType.get(args.type);
      const { __provider, ...inputs } = args.inputs;
      resources.push({ ...args, inputs });
      if (!definition) return mocks?.newResource(args) ?? { id: `${args.name}-id`, state: inputs };
      const id = `${args.name}-id`;
      return { id, state: { ...inputs, ...outputsOfMock(definition, id, inputs) } };
    },
    call(args) {
      if (args.token === "pulumi:pulumi:readStackResourceOutputs") return { outputs: recorded };
      const lookup = lookupsByToken.get(args.token);
      if (lookup) return answerOfPlugin(lookup, args.inputs);
      return mocks?.call?.(args) ?? args.inputs;
    },
  };
}
