export const defaultStack = "main";

/** A command of `docs-org` for this stack, as a user types it. */
export const commandFor = (command: string, stackName = defaultStack): string =>
  `docs-org ${command}${stackName === defaultStack ? "" : ` --stack ${stackName}`}`;
