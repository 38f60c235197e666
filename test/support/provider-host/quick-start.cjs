"use strict";
// Loaded first by each program that the engine runs in the tests (see path/node): modules come as V8 compiled them when they
// were recorded (../compiled.ts), and the part of the SDK that reads folders of packages, which takes the longest and only
// a serialized function needs, is loaded when it is used.
const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const vm = require("node:vm");

const { MODULE_CACHE: folder } = process.env;
const lead = Module.wrapper[0];

function functionOf(content, filename, cachedData) {
  const options = { filename, columnOffset: -lead.length, cachedData };
  return new vm.Script(`${lead}${content}\n});`, options);
}

/** What Node.js gives every module as its `require`. */
function requireOf(module) {
  const require = (id) => module.require(id);
  require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
  require.resolve.paths = (request) => Module._resolveLookupPaths(request, module);
  return Object.assign(require, { main: process.mainModule, extensions: Module._extensions, cache: Module._cache });
}

function run(script, module, filename) {
  const made = script.runInThisContext();
  made.call(module.exports, module.exports, requireOf(module), module, filename, path.dirname(filename));
}

function useCache() {
  const index = JSON.parse(fs.readFileSync(path.join(folder, "index.json"), "utf8"));
  const data = fs.readFileSync(path.join(folder, index.data));
  const load = Module._extensions[".js"];
  Module._extensions[".js"] = (module, filename) => {
    const [start, end] = index.files[filename] ?? [];
    if (end === undefined) return load(module, filename);
    run(functionOf(fs.readFileSync(filename, "utf8"), filename, data.subarray(start, end)), module, filename);
  };
}

function loadLate() {
  const load = Module._load;
  Module._load = function (request, ...rest) {
    if (request !== "@npmcli/arborist") return load.call(this, request, ...rest);
    const real = () => load.call(this, request, ...rest);
    return {
      Arborist: class {
        constructor(...given) {
          // biome-ignore lint/correctness/noConstructorReturn: it stands for the real one
          return new (real().Arborist)(...given);
        }
      },
    };
  };
}

/** Records every module that is loaded from now on, until the process ends. */
function record() {
  const scripts = new Map();
  const load = Module._extensions[".js"];
  Module._extensions[".js"] = (module, filename) => {
    const content = fs.readFileSync(filename, "utf8");
    // V8 forgets, for a script from its cache, how Node.js imports.
    const imports = /\bimport\(/.test(content) && !filename.endsWith("/typescript.js");
    if (imports || content.startsWith("#")) return load(module, filename);
    const script = functionOf(content, filename);
    scripts.set(filename, script);
    run(script, module, filename);
  };
  process.on("exit", () => {
    const parts = [];
    const index = { data: `data-${process.pid}`, files: {} };
    let at = 0;
    for (const [filename, script] of scripts) {
      const data = script.createCachedData();
      index.files[filename] = [at, at + data.length];
      at += data.length;
      parts.push(data);
    }
    fs.writeFileSync(path.join(folder, index.data), Buffer.concat(parts));
    fs.writeFileSync(path.join(folder, `${index.data}.json`), JSON.stringify(index));
    fs.renameSync(path.join(folder, `${index.data}.json`), path.join(folder, "index.json"));
  });
}

loadLate();
if (process.env.MODULE_CACHE_RECORD) record();
else if (folder) useCache();
