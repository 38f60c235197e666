import type { Leaf } from "../hosts/plugin/engine-component";
import type { Run } from "../run/run";
import type { StateReader } from "./live/recorded";
import type { Child } from "./sections";

/**
 * What the component needs of its program and of the engine. The class implements it with the SDK, and the plugin, which serves
 * every language, with calls of the engine. `Resource` is what the host has for a registered child.
 */
export interface ComponentHost<Resource> extends StateReader {
  readonly run: Run;
  readonly isPreview: boolean;
  /** Makes a refusal that the engine shows as one message without a stack. */
  presentable(error: unknown): unknown;
  warn(text: string): Promise<void>;
  /** Registers a component that only keeps notes. It comes after all children: later reviews compare with it, and a child may fail. */
  registerNotes(type: string, name: string, notesAfter: (children: { readonly isMade: boolean }) => Leaf): void;
  /** Registers a child. A part of a site gets the site whose id it needs. */
  registerChild(child: Child, site: Resource | undefined): Resource;
}
