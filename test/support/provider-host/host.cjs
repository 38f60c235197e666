"use strict";
// Carries out what the engine starts as `node .../cmd/dynamic-provider ADDRESS`, one after another, and has the SDK loaded
// already, which takes longer than most tests. Each session gets modules of its own (the SDK's script, our package and what it
// loads), its own environment, folder and arguments. What would go on after the end of a real process ends this one as well.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { Server } = require("@grpc/grpc-js");
const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
require("@pulumi/pulumi");
require("require-from-string");
require("source-map-support/register");
require("zod");

const ours = path.resolve(__dirname, "../../../dist") + path.sep;
const imported = /\bimport\((?=["'])/g;
const baseline = new Map(Object.keys(require.cache).map((name) => [name, require.cache[name].children.slice()]));
const { setInterval: startInterval } = globalThis;
const { console: printer } = globalThis;
const functions = { ...printer };
const listeners = ["uncaughtException", "unhandledRejection", "exit", "SIGINT", "SIGTERM", "warning"];
const ownListeners = new Map(listeners.map((event) => [event, process.listeners(event)]));

let session;

// What `import()` has loaded stays loaded for ever; what `require` has can be forgotten.
const load = Module._extensions[".js"];
Module._extensions[".js"] = (module, filename) => {
  const content = filename.startsWith(ours) ? fs.readFileSync(filename, "utf8") : "";
  if (content.search(imported) === -1) return load(module, filename);
  module._compile(content.replaceAll(imported, "(async (id) => require(id))("), filename);
};

process.stdout.write = (text, ...rest) => say("stdout", text, rest);
process.stderr.write = (text, ...rest) => say("stderr", text, rest);

function say(stream, text, rest) {
  process.send({ [stream]: String(text) });
  rest.find((one) => typeof one === "function")?.();
  return true;
}

const { addService, bindAsync } = Server.prototype;
Server.prototype.bindAsync = function (...args) {
  session?.servers.push(this);
  return bindAsync.apply(this, args);
};
Server.prototype.addService = function (definition, implementation) {
  const counted = {};
  for (const name of Object.keys(definition)) {
    const method = implementation[name];
    if (typeof method === "function") counted[name] = counting(session, implementation, method);
  }
  return addService.call(this, definition, counted);
};

/** Counts the calls that have no answer yet. */
function counting(owner, implementation, method) {
  return (call, answer) => {
    owner.running++;
    return method.call(implementation, call, (...args) => {
      owner.running--;
      return answer(...args);
    });
  };
}

function start({ folder, environment, args }) {
  session = { servers: [], intervals: [], running: 0 };
  const { intervals } = session;
  globalThis.setInterval = (...given) => {
    const made = startInterval(...given);
    intervals.push(made);
    return made;
  };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  process.argv = [process.execPath, script, ...args];
  require(script);
}

function end() {
  // A process that is killed carries on with nothing.
  if (session.running > 0) process.exit(0);
  for (const server of session.servers) server.forceShutdown();
  for (const interval of session.intervals) clearInterval(interval);
  globalThis.setInterval = startInterval;
  Object.assign(printer, functions);
  for (const [event, own] of ownListeners) {
    for (const listener of process.listeners(event)) if (!own.includes(listener)) process.off(event, listener);
  }
  for (const name of Object.keys(require.cache)) {
    if (baseline.has(name)) require.cache[name].children = baseline.get(name).slice();
    else delete require.cache[name];
  }
  session = undefined;
  // The folder of the session may be removed now.
  process.chdir("/");
  process.send({ idle: true });
}

process.on("message", (message) => (message.start ? start(message.start) : end()));
process.on("disconnect", () => process.exit(0));
