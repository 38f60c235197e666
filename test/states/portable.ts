import type { ResourceState } from "../../scripts/stack";

/** What stands in a file for the address of the emulator, which is another one each time. */
const address = "http://emulator.test";

/** What is only true of the machine and of the run that wrote a state. */
const ofTheRun = ["created", "modified", "stackTrace", "sourcePosition"];
const idOfProvider = "00000000-0000-4000-8000-000000000000";

export interface SavedResource extends ResourceState {
  readonly parent?: string;
}

interface State {
  readonly deployment: { manifest: { time: string }; secrets_providers?: unknown; resources: SavedResource[] };
}

/** An exported state without what is special about its machine, its run and the address of the service. */
export function portable(exported: string, url: string): string {
  const state: State = JSON.parse(exported);
  const { deployment } = state;
  // Nothing in it is secret: the settings come from the environment.
  delete deployment.secrets_providers;
  deployment.manifest.time = "2026-01-01T00:00:00Z";
  const kept = deployment.resources.map((one) => {
    return Object.fromEntries(Object.entries(one).filter(([name]) => !ofTheRun.includes(name)));
  });
  const [provider] = deployment.resources.filter(({ type }) => type.startsWith("pulumi:providers:"));
  const text = JSON.stringify({ ...state, deployment: { ...deployment, resources: kept } }, null, 2);
  return `${text.replaceAll(String(provider?.id), idOfProvider).replaceAll(url, address)}\n`;
}

/** A state of a file, for the emulator at this address. */
export const placed = (state: string, url: string): string => state.replaceAll(address, url);
