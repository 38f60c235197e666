import Module from "node:module";

/**
 * What the SDK needs only to serialize functions and to run an engine itself, which no resource of this package does, and the
 * translations of zod. They are three quarters of the time that loading the SDK takes (seen in 3.270, on Node.js 20).
 */
const late: readonly (readonly [request: string, importer: RegExp])[] = [
  ["../../typescript-shim", /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/][^\\/]+\.js$/],
  ["@npmcli/arborist", /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]codePaths\.js$/],
  ["normalize-package-data", /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/]codePaths\.js$/],
  ["./automation", /[\\/]@pulumi[\\/]pulumi[\\/]index\.js$/],
  ["../locales/index.cjs", /[\\/]zod[\\/]v4[\\/]core[\\/]index\.cjs$/],
  ["../locales/index.cjs", /[\\/]zod[\\/]v4[\\/]classic[\\/]external\.cjs$/],
];

type Load = (request: string, parent: NodeModule | undefined, isMain: boolean) => unknown;
const internals = Module as unknown as { _load: Load };

let stop: (() => void) | undefined;

/** Lets these modules be loaded when they are first used, until all of them were asked for or the returned function is called. */
export function loadLate(): () => void {
  stop ??= deferModules();
  return stop;
}

function deferModules(): () => void {
  const load = internals._load;
  const notYetUsed = new Set(late);
  // Once restored, stacks of errors in programs no longer show this function at each `require`.
  const restore = () => {
    if (internals._load === loadOrDefer) internals._load = load;
  };
  const loadOrDefer: Load = (request, parent, isMain) => {
    const loadNow = () => load.call(Module, request, parent, isMain);
    const deferred = late.find(([name, importer]) => name === request && importer.test(parent?.filename ?? ""));
    if (deferred === undefined) return loadNow();
    notYetUsed.delete(deferred);
    if (notYetUsed.size === 0) restore();
    return lateModule(loadNow as () => object);
  };
  internals._load = loadOrDefer;
  return restore;
}

/** Stands for a module that is loaded when one of its exports is read. */
function lateModule(load: () => object): object {
  let loaded: object | undefined;
  const module = () => {
    loaded ??= load();
    return loaded;
  };
  // Compiled imports copy the exports of a module, and so would load it, unless it says that it is made of ECMAScript exports.
  const get = (_: object, name: string | symbol) => {
    if (name === "__esModule") return true;
    return name === "default" && !Reflect.has(module(), name) ? module() : Reflect.get(module(), name);
  };
  const has = (_: object, name: string | symbol) => Reflect.has(module(), name);
  return new Proxy({}, { get, has, ownKeys: () => Reflect.ownKeys(module()) });
}
