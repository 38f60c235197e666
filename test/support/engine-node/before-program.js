// Loaded before the program of an engine command (see index.ts). A short program spends its time on compiling the SDK and on
// loading a package manager that the SDK needs for functions that are serialized: V8 gets what an earlier program of the same
// test run compiled, and the package manager is loaded when something asks for it.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const v8 = require("node:v8");
const vm = require("node:vm");

const file = process.env.ENGINE_NODE_CODE;
const root = path.resolve(process.env.ENGINE_NODE_SDK, "../../..");
/** Their files do not change during a test run. */
const folders = ["node_modules", "dist"].map((name) => path.join(root, name) + path.sep);
const { _compile: compile } = Module.prototype;
const { _load: load } = Module;

const code = fs.existsSync(file) ? v8.deserialize(fs.readFileSync(file)) : new Map();
const scripts = new Map();
let missing = 0;

Module.prototype._compile = function (content, name, ...rest) {
  if (!isKept(name, content)) return compile.call(this, content, name, ...rest);
  const script = new vm.Script(Module.wrap(content), {
    filename: name,
    columnOffset: -Module.wrapper[0].length,
    cachedData: code.get(name),
  });
  if (script.cachedDataRejected !== false) missing += 1;
  scripts.set(name, script);
  return script.runInThisContext().call(this.exports, this.exports, requireOf(this), this, name, path.dirname(name));
};

/** Kept code cannot import modules while it runs. TypeScript has that only in texts. */
function isKept(name, content) {
  const isOutside = !folders.some((folder) => name.startsWith(folder));
  if (isOutside || content.startsWith("#!")) return false;
  return !/\bimport\(/.test(content) || name.endsWith("/typescript/lib/typescript.js");
}

/** As Node.js makes it, which has no function for that. */
function requireOf(module) {
  const resolve = (name, options) => Module._resolveFilename(name, module, false, options);
  resolve.paths = (name) => Module._resolveLookupPaths(name, module);
  const { mainModule: main } = process;
  const { _cache: cache, _extensions: extensions } = Module;
  return Object.assign((name) => module.require(name), { resolve, main, cache, extensions });
}

Module._load = function (name, ...rest) {
  if (name !== "@npmcli/arborist") return load.call(this, name, ...rest);
  const get = (_, key) => key === "__esModule" || load.call(this, name, ...rest)[key];
  return new Proxy({}, { get });
};

// The first programs leave what they compiled; later ones only if they needed much else.
process.on("exit", () => {
  if (missing < 100) return;
  for (const [name, script] of scripts) code.set(name, script.createCachedData());
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, v8.serialize(code));
  fs.renameSync(own, file);
});
