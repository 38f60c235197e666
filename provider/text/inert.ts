/**
 * The line as no command of GitHub's runner, which takes `::name::` at the beginning of a line and `##[name]` anywhere for one. A
 * name that looks so must not mask words or end a group in the log of a job.
 */
export const inert = (line: string): string =>
  line.replace(/^(\s*):(?=:)/, "$1\\u{3a}").replace(/##(?=\[)/g, "#\\u{23}");
