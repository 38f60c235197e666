import type { Properties } from "../../run/properties";
import type { Run } from "../../run/run";
import type { StackResources } from "../stack-state";

/** A resource below the component. */
export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly inputs: Properties;
  /** The type that the resource had with the dynamic host; omitted for components, whose type is the same. */
  readonly formerType?: string;
  /** Whether the engine refuses to delete the resource; if omitted, as the component. */
  readonly protect?: boolean | undefined;
  /** URNs of the resources that an input comes from, by the name of the input. */
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** A resource that the engine has registered, and created or updated if this is no preview. */
export interface RegisteredResource {
  readonly urn: string;
  /** `unknownValue` in the preview of a creation. */
  readonly id: string;
  readonly outputs: Properties;
  /** The resource failed, or the engine left it out. The engine has reported that, and the values are not known. */
  readonly isMissing: boolean;
}

/** A component that the engine asks this provider to construct, for a program in any language. */
export interface Construction {
  readonly run: Run;
  readonly name: string;
  /** The URN that the component will have. */
  readonly urn: string;
  /** Earlier URNs, by the aliases that the program declares. */
  readonly formerUrns: readonly string[];
  /** Plain values; `unknownValue` for a value that is known only during the up. */
  readonly inputs: Properties;
  /** Names of the inputs that contain a secret. */
  readonly secrets: ReadonlySet<string>;
  readonly isPreview: boolean;
  /** The recorded resources of the stack. `why` begins the message if they cannot be read. */
  recordedResources(why: string): Promise<StackResources>;
  /** Shows a warning below the component. */
  warn(text: string): void;
  /** Refuses a second provider object for an organization. */
  claim(organizationId: string): void;
  /** Registers the component itself, which comes before everything below it. */
  begin(): Promise<void>;
  /** Registers a resource below the component. */
  register(resource: Registration): Promise<RegisteredResource>;
  /** Registers a component below this one that has no resources of its own. */
  registerLeaf(component: Registration): Promise<void>;
}

/** Outputs of a component, and by name the URNs of the resources that they come from. */
export interface Constructed {
  readonly outputs: Properties;
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

/** By type, what constructs a component. */
export type Components = Readonly<Record<string, (construction: Construction) => Promise<Constructed>>>;
