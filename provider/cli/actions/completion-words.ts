/** What a shell can complete after a command. */
export interface Completed {
  /** The words of the command after `docs-org`: none for `docs-org` itself. */
  readonly path: readonly string[];
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** Values of the first argument; none if it may be anything. */
  readonly values: readonly string[];
}

export interface CompletedOption {
  /** With its dashes, as the user writes it. */
  readonly flag: string;
  readonly description: string;
  readonly takesValue: boolean;
  /** Allowed values; none if it may be anything, such as a file. */
  readonly values: readonly string[];
}
