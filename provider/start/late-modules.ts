import Module from "node:module";

/**
 * Modules that the SDK loads at its start and uses only to serialize functions, which no resource of this package needs. They
 * are two thirds of the time that loading the SDK takes (seen in 3.270, on Node.js 20).
 */
const late: ReadonlySet<string> = new Set(["../../typescript-shim", "@npmcli/arborist"]);
const importers = /[\\/]@pulumi[\\/]pulumi[\\/]runtime[\\/]closure[\\/][^\\/]+\.js$/;

type Load = (request: string, parent: NodeModule | undefined, isMain: boolean) => unknown;

/** Lets the SDK load these modules when it first uses them. */
export function loadLate(): void {
  const internals = Module as unknown as { _load: Load };
  const load = internals._load;
  const awaited = new Set(late);
  const loadOrDefer: Load = (request, parent, isMain) => {
    const now = () => load.call(Module, request, parent, isMain);
    if (!late.has(request) || !importers.test(parent?.filename ?? "")) return now();
    awaited.delete(request);
    // From here on, the stacks of errors in programs do not show this function at each `require`.
    if (awaited.size === 0 && internals._load === loadOrDefer) internals._load = load;
    return lateModule(now as () => object);
  };
  internals._load = loadOrDefer;
}

/** Stands for a module that is loaded when one of its exports is read. */
function lateModule(load: () => object): object {
  let loaded: object | undefined;
  const module = () => {
    loaded ??= load();
    return loaded;
  };
  // Compiled imports copy the exports of a module, and so would load it, unless it says that it is made of ECMAScript exports.
  const get = (_: object, name: string | symbol) => (name === "__esModule" ? true : Reflect.get(module(), name));
  return new Proxy(
    {},
    { get, has: (_, name) => Reflect.has(module(), name), ownKeys: () => Reflect.ownKeys(module()) },
  );
}
