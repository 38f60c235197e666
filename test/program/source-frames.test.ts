import path from "node:path";
import { runInThisContext } from "node:vm";
import { afterEach, describe, expect, it } from "vitest";
import { keepSourceFrames } from "../../provider/program/source-frames";

type Step = (...next: Step[]) => unknown;

/** A function that seems to stand in `file` and calls the next function with the rest of them. */
const step = (file: string): Step => runInThisContext("(next, ...rest) => next(...rest)", { filename: file });
const taken = (file: string): (() => string) => runInThisContext("() => new Error().stack", { filename: file });

const sdk = "/home/ada/program/node_modules/@pulumi/pulumi/resource.js";
const loader = "/home/ada/program/node_modules/ts-node/dist/index.js";
const program = "/home/ada/program/index.ts";
const provider = path.resolve(__dirname, "..", "..", "provider");
const constructing = path.join(provider, "hosts", "dynamic", "resource-class.ts");
const extending = path.join(provider, "resources", "site", "site.ts");
const before = Error.prepareStackTrace;

/** The files that a stack names from its top down to the tests. */
const filesOf = (stack: string) =>
  stack
    .split("\n")
    .flatMap((line) => /\((.*):\d+:\d+\)$|at ([^ (]+):\d+:\d+$/.exec(line)?.slice(1, 3).filter(Boolean) ?? [])
    .filter((file) => file !== __filename && !file?.startsWith(path.dirname(require.resolve("vitest/package.json"))));

/** The stack as the SDK takes it, of a resource that these files lead to. */
const stackBelow = (...files: string[]) => {
  const [first, ...rest] = [...files, constructing, sdk].map(step) as [Step, ...Step[]];
  return first(...rest, taken(sdk)) as string;
};
const kept = (...files: string[]) => {
  const restore = keepSourceFrames(constructing);
  try {
    return filesOf(stackBelow(...files));
  } finally {
    restore();
  }
};
/** The top of every stack, which stays: the SDK skips a fixed number of frames. The first one is `taken`. */
const counted = [sdk, sdk, constructing];

afterEach(() => {
  Error.prepareStackTrace = before;
});

describe("the frames of a resource", () => {
  it("are those of the program, below the frames that the SDK skips", () => {
    expect(filesOf(stackBelow("node:internal/main", loader, program, extending))).toContain(loader);
    expect(kept("node:internal/main", loader, program, extending)).toEqual([...counted, program]);
  });

  it("include every frame of the program, in order", () => {
    const component = "/home/ada/program/team.ts";
    expect(kept(program, loader, component, extending)).toEqual([...counted, component, program]);
  });

  it("also on Windows", () => {
    expect(kept("C:\\program\\node_modules\\ts-node\\index.js", extending)).toEqual(counted);
  });

  it("are empty if the SDK records where it created a promise", () => {
    const promised = runInThisContext("(function debuggablePromise() { return new Error().stack; })", {
      filename: sdk,
    });
    const restore = keepSourceFrames(constructing);
    try {
      expect(step(constructing)(promised as Step)).toBe("Error");
    } finally {
      restore();
    }
    expect(filesOf(step(constructing)(promised as Step) as string)).toContain(constructing);
  });

  it("stay unchanged in a stack that did not pass through the constructor", () => {
    const restore = keepSourceFrames("/somewhere/else.ts");
    const files = filesOf(stackBelow(loader, program, extending));
    restore();
    expect(files.slice(0, 6)).toEqual([...counted, extending, program, loader]);
  });
});

describe("the function that prepares stacks", () => {
  it("gets the kept frames, and is called alone again afterwards", () => {
    const asked: number[] = [];
    const hook = (_: Error, frames: NodeJS.CallSite[]) => `prepared ${asked.push(frames.length)}`;
    Error.prepareStackTrace = hook;
    const restore = keepSourceFrames(constructing);
    expect(stackBelow(loader, program)).toBe("prepared 1");
    restore();
    expect(Error.prepareStackTrace).toBe(hook);
    expect(stackBelow(loader, program)).toBe("prepared 2");
    expect(asked).toHaveLength(2);
  });

  it("is not replaced if other code has set it meanwhile", () => {
    const restore = keepSourceFrames(constructing);
    const hook = () => "another";
    Error.prepareStackTrace = hook;
    restore();
    expect(Error.prepareStackTrace).toBe(hook);
  });

  it.each([
    ["there is none", () => Reflect.set(Error, "prepareStackTrace", undefined), () => undefined],
    ["Node.js maps them itself", () => process.setSourceMapsEnabled(true), () => process.setSourceMapsEnabled(false)],
  ])("is not replaced if %s", (_, begin, end) => {
    begin();
    const there = Error.prepareStackTrace;
    keepSourceFrames(constructing)();
    expect(Error.prepareStackTrace).toBe(there);
    const restore = keepSourceFrames(constructing);
    expect(Error.prepareStackTrace).toBe(there);
    restore();
    end();
  });
});
