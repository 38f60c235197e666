/** What unit tests of programs need: `import { mockOrganization } from "pulumi-docs-org/testing"`. */
import { runtime } from "@pulumi/pulumi";
import * as definitions from "../definitions";
import { type EmulatorOptions, startEmulator } from "../emulator";
import type { Fault } from "../emulator/server/faults";
import { typeOf } from "../hosts/dynamic/stub";
import { outcomeOfProgram, waitForRegistrations } from "../organization/outcome";
import { outputsOf } from "./outputs";

/** An emulator that runs already, as `startEmulator` of `pulumi-docs-org/emulator` returns it. */
export interface StartedEmulator {
  readonly url: string;
  readonly token: string;
  readonly organizationId: string;
}

export interface MockOptions {
  /** Asked in place of one of its own, and left running; `seed`, `organizationId` and `answers` are for its own. */
  readonly emulator?: StartedEmulator;
  /** What is live: people, teams, sites, ...; a built-in organization when left out. */
  readonly seed?: object;
  /** One of the seed's organizations, by default its first; without a seed, the name of the built-in one (`acme`). */
  readonly organizationId?: string;
  /** Answers in place of the emulator's, whole as the service has them, by the client's function: `{ getSite: { ... } }`. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Whether the program is run as at a preview (false when left out). */
  readonly preview?: boolean;
  readonly project?: string;
  readonly stack?: string;
  /** By URN, what the stack has so far: `docs.Organization` compares with it. Nothing when left out. */
  readonly recorded?: Readonly<Record<string, { readonly outputs?: Record<string, unknown> }>>;
  /** Mocks of resources and functions of other packages. */
  readonly mocks?: runtime.Mocks;
}

export interface MockedOrganization {
  /** Every resource that the program has declared, in that order, with its plain inputs. */
  readonly resources: readonly runtime.MockResourceArgs[];
  /** What lookups and guards ask. */
  readonly emulator: StartedEmulator;
  /**
   * Waits until everything that the program declares is registered; rejects if the guards of a `docs.Organization` refuse it. Call it
   * right after the program was built: `await assert.rejects(mocked.settled(), /the last administrator/)`.
   */
  settled(): Promise<void>;
  /** Ends the emulator, and puts the environment back. */
  close(): Promise<void>;
}

/**
 * Makes a program testable without an engine and without a network, for the test that builds it next: resources are mocked, and
 * lookups and guards ask an emulator in this process.
 */
export async function mockOrganization(options: MockOptions = {}): Promise<MockedOrganization> {
  const { preview = false, project = "project", stack = "stack" } = options;
  const own = options.emulator ? undefined : await ownEmulator(options);
  const { url, token, organizationId } = options.emulator ?? (own as StartedEmulator);
  const emulator = { url, token, organizationId };
  const restore = withEnvironment({
    DOCS_BASE_URL: url,
    DOCS_TOKEN: token,
    DOCS_ORGANIZATION_ID: organizationId,
  });
  const resources: runtime.MockResourceArgs[] = [];
  // The name of the organization of Pulumi's service, which a program of its own backend does not have.
  await runtime.setMocks(mocksOf(options, resources), project, stack, preview, "organization");
  const outcome = outcomeOfProgram();
  return {
    resources,
    emulator,
    settled: () => waitForRegistrations(outcome),
    close: async () => {
      restore();
      await own?.close();
    },
  };
}

const always = 1_000_000;

/** The emulator checks what it is given, and says what is wrong with it. */
async function ownEmulator({ seed, organizationId, answers = {} }: MockOptions) {
  const emulator = await startEmulator({ seed, organizationId } as EmulatorOptions);
  try {
    for (const [row, body] of Object.entries(answers)) {
      emulator.fault({ row, body, status: 200, times: always } as Fault);
    }
    return emulator;
  } catch (error) {
    await emulator.close();
    throw error;
  }
}

const byType = new Map(Object.values(definitions).map((definition) => [typeOf(definition.name), definition]));

function mocksOf({ mocks, recorded = {} }: MockOptions, resources: runtime.MockResourceArgs[]): runtime.Mocks {
  return {
    newResource(args) {
      const definition = byType.get(args.type);
      const { __provider, ...inputs } = args.inputs;
      resources.push({ ...args, inputs });
      if (!definition) return mocks?.newResource(args) ?? { id: `${args.name}-id`, state: inputs };
      const id = `${args.name}-id`;
      return { id, state: { ...inputs, ...outputsOf(definition, id, inputs) } };
    },
    call(args) {
      if (args.token === "pulumi:pulumi:readStackResourceOutputs") return { outputs: recorded };
      return mocks?.call?.(args) ?? args.inputs;
    },
  };
}

function withEnvironment(values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, values);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
