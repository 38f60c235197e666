// Runs docs-org as often as it is asked, in one process that has loaded what the package depends on. The package itself is loaded for
// each command, with its arguments, folder and environment. See resident-cli.ts.
const Module = require("node:module");
const path = require("node:path");

const dist = path.resolve(__dirname, "../../dist") + path.sep;
const entry = path.join(dist, "cli/index.js");

/** Each command replaces it. */
const load = Module._load;
// Once `wrap` was assigned, Node.js compiles modules with the function around them, and V8 reuses equal texts, which saves two fifths of
// a command. A line for the shell cannot stand in a function.
const { wrap } = Module;
Module.wrap = (text) => wrap(text.replace(/^#!.*/, ""));

let written = [];
for (const stream of ["stdout", "stderr"]) {
  // Each command adds listeners.
  process[stream].setMaxListeners(0);
  process[stream].write = (text, ...rest) => {
    written.push({ stream, text: String(text) });
    const done = rest.at(-1);
    if (typeof done === "function") process.nextTick(done);
    return true;
  };
}

process.on("message", ({ args, folder, environment }) => {
  process.channel.unref();
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.argv = [process.execPath, entry, ...args];
  for (const file of Object.keys(require.cache)) if (file.startsWith(dist)) delete require.cache[file];
  module.children.length = 0;
  Module._load = load;
  require(entry);
});

// The command has nothing left to do: a process of its own would end, and run what the command left for its end.
process.on("beforeExit", (status) => {
  for (const listener of process.rawListeners("exit")) {
    listener.call(process, status);
    process.off("exit", listener);
  }
  process.channel.ref();
  process.exitCode = undefined;
  process.send({ status, written });
  written = [];
});
process.on("disconnect", () => process.exit());
