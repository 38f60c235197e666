/** The commands of GitHub's runner (actions/runner, ActionCommandManager.cs), which takes them in upper and lower case. */
const registered = [
  "internal-set-repo-path",
  "set-env",
  "set-output",
  "save-state",
  "add-path",
  "add-mask",
  "add-matcher",
  "remove-matcher",
  "warning",
  "error",
  "notice",
  "debug",
  "group",
  "endgroup",
  "echo",
  "stop-commands",
];

interface Command {
  readonly name: string;
  readonly data: string;
}

/** Effect of a step's output on the runner. */
export interface RunnerLog {
  /** The commands that were carried out, without those that switch commands off and on. */
  readonly commands: readonly string[];
  /** Lines that were no commands only because commands were switched off. */
  readonly ignored: readonly string[];
  /** Commands are switched off when the step ends. */
  readonly stopped: boolean;
}

/** Parses an output like the runner: ported from ActionCommand.cs, ActionCommandManager.cs and OutputManager.cs. */
export function runnerLog(output: string): RunnerLog {
  const names = new Set(registered);
  const [commands, ignored]: [string[], string[]] = [[], []];
  let stopped: string | undefined;
  for (const line of output.split(/\r\n|\r|\n/)) {
    const command = currentForm(line, names) ?? oldForm(line, names);
    if (!command) continue;
    if (stopped !== undefined) {
      if (command.name !== stopped) {
        ignored.push(line);
        continue;
      }
      names.delete(stopped);
      stopped = undefined;
    } else if (command.name === "stop-commands") {
      stopped = command.data.toLowerCase();
      names.add(stopped);
    } else commands.push(line);
  }
  return { commands, ignored, stopped: stopped !== undefined };
}

/** `::name key=value::data`, after leading white space alone. */
function currentForm(line: string, names: ReadonlySet<string>): Command | undefined {
  const text = line.trimStart();
  const end = text.startsWith("::") ? text.indexOf("::", 2) : -1;
  return end < 0 ? undefined : commandIn(text.slice(2, end), text.slice(end + 2), names);
}

/** `##[name key=value]data`, anywhere in a line. */
function oldForm(line: string, names: ReadonlySet<string>): Command | undefined {
  const start = line.indexOf("##[");
  const end = start < 0 ? -1 : line.indexOf("]", start);
  return end < 0 ? undefined : commandIn(line.slice(start + 3, end), line.slice(end + 1), names);
}

function commandIn(info: string, data: string, names: ReadonlySet<string>): Command | undefined {
  const name = (info.split(" ", 1)[0] ?? "").toLowerCase();
  return names.has(name) ? { name, data } : undefined;
}
