// Runs the programs of engine commands (see index.ts), one after another. Each has its own run of the SDK's script, with its own
// modules, standard streams, arguments, environment and folder, and ends as a process does: when nothing keeps it alive. Only
// modules that no program changes stay loaded. A program that exits or crashes ends this process, as it would end its own.
"use strict";
const fs = require("node:fs");
const Module = require("node:module");
const { Socket } = require("node:net");
const path = require("node:path");
const { createInterface } = require("node:readline");

const [script, root] = process.argv.slice(2);
const packages = path.join(root, "node_modules");
const compiled = path.join(root, "dist") + path.sep;
const sdk = path.join(packages, "@pulumi", "pulumi");
const fromScript = Module.createRequire(script);

/** Packages that remember something of a program: its resources, or the sources of a path. */
const remembering = [sdk, ...["ts-node", "source-map-support", "@cspotcode"].map((name) => path.join(packages, name))];
/** Parts of the SDK that remember nothing. The last one opens an inspector, which serves the whole process. */
const forgetful = ["proto", "vendor", path.join("runtime", "closure", "v8Hooks.js")].map((name) =>
  path.join(sdk, name),
);

const isIn = (file) => (place) => file === place || file.startsWith(place + path.sep);
const isKept = (file) => forgetful.some(isIn(file)) || (isIn(file)(packages) && !remembering.some(isIn(file)));

/** Where ts-node keeps the sources of a program. Defined here first, because ts-node's own property could never be deleted. */
const sources = Symbol.for("source-map-support/sharedData");
globalThis[sources] = undefined;

/** What Node.js has and libraries replace. */
const replaced = [globalThis, process, console, Error, Module, Module.prototype, Module._extensions];
/** Listeners are no data: `process` is an emitter, whose listeners are removed one by one. */
const isData = (key, { writable }) => writable === true && key !== "_events" && key !== "_eventsCount";

/** The supervisor, which tells this process what to run, and learns how that ended. */
const supervisor = new Socket({ fd: 3 });

function prepare() {
  for (const name of ["../../index", "./instrumentation", "typescript", "ts-node", "undici"]) fromScript(name);
  Module.createRequire(compiled)("./index");
  globalThis[sources] = undefined;
  // As in instance.ts: V8 reuses what it has compiled of equal texts.
  Object.assign(Module, { wrapper: Module.wrapper });
}

/** Returns a function that removes what a program leaves in Node.js, and says whether it could. */
function keepState() {
  const before = replaced.map((object) => Object.getOwnPropertyDescriptors(object));
  const listeners = new Set(process.eventNames().flatMap((name) => process.rawListeners(name)));
  return () => {
    for (const name of process.eventNames()) {
      for (const one of process.rawListeners(name)) if (!listeners.has(one)) process.removeListener(name, one);
    }
    for (const file of Object.keys(require.cache)) if (!isKept(file)) delete require.cache[file];
    for (const [key, file] of Object.entries(Module._pathCache)) if (!isKept(file)) delete Module._pathCache[key];
    return replaced.map((object, index) => restore(object, before[index])).every(Boolean);
  };
}

function restore(object, before) {
  for (const key of Reflect.ownKeys(before)) {
    if (isData(key, before[key]) && object[key] !== before[key].value) object[key] = before[key].value;
  }
  const added = Reflect.ownKeys(object).filter((key) => !Object.hasOwn(before, key));
  return added.map((key) => Reflect.deleteProperty(object, key)).every(Boolean);
}

/** Files of the standard output and errors. */
let streams = [];

/** A file that is opened gets the lowest free number. */
function setStreams(...files) {
  streams = files;
  for (const [number, file] of files.entries()) {
    fs.closeSync(number + 1);
    fs.openSync(file, "w");
  }
}

/** The engine kills the program of a command that failed. Here it goes on, and writes nothing more, because its files are gone. */
function silenceKilled() {
  for (const [number, stream] of [process.stdout, process.stderr].entries()) {
    const { _write: write } = stream;
    stream._write = (chunk, encoding, done) =>
      fs.existsSync(streams[number]) ? write.call(stream, chunk, encoding, done) : done();
  }
}

function setEnvironment(environment) {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

function start({ folder, environment, args, streams }) {
  setStreams(...streams);
  setEnvironment(environment);
  process.chdir(folder);
  process.argv = [process.execPath, script, ...args];
  supervisor.unref();
  Module._load(script, null, true);
}

/** Bytes. Each program leaves some megabytes in modules that are kept, and at about 4 GB Node.js would end this process. */
const large = 1e9;

/** Ends a program as Node.js ends a process. The process itself ends only if something of the program would stay, or much memory. */
function end() {
  process.emit("exit", process.exitCode ?? 0);
  const status = process.exitCode ?? 0;
  if (!forget() || process.memoryUsage().heapUsed > large) process.exit(status);
  process.exitCode = undefined;
  process.chdir(root);
  setStreams("/dev/null", "/dev/null");
  supervisor.ref();
  supervisor.write(`${status}\n`);
}

/** Nothing is left to do, unless a listener of the program has begun something. */
function endIfIdle() {
  setImmediate(() => {
    if (process.getActiveResourcesInfo().length === 0) end();
  });
}

prepare();
silenceKilled();
process.on("beforeExit", endIfIdle);
const forget = keepState();
createInterface(supervisor).on("line", (line) => start(JSON.parse(line)));
supervisor.on("end", () => process.exit());
supervisor.write("ready\n");
