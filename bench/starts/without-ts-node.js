// Loaded before a program: hides ts-node from the SDK, which then uses its own copy.
const Module = require("node:module");

const { _resolveFilename: resolve } = Module;
Module._resolveFilename = function (request, ...rest) {
  if (!/^ts-node($|\/)/.test(request)) return resolve.call(this, request, ...rest);
  throw Object.assign(new Error(`Cannot find module '${request}'`), { code: "MODULE_NOT_FOUND" });
};
