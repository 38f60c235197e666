import path from "node:path";

type Prepare = NonNullable<typeof Error.prepareStackTrace>;

const inNodeModules = /[\\/]node_modules[\\/]/;
const ownFolder = path.resolve(__dirname, "..") + path.sep;

/**
 * The SDK stores the stack of every resource in the state, and with ts-node most of it says how the program was loaded.
 * Until the returned function is called, a stack that went through the constructor in `file` contains behind it only frames of the program:
 * the engine has less to write at every step, and shows the program's line, not ours.
 */
export function keepSourceFrames(file: string): () => void {
  const before = Error.prepareStackTrace;
  // Tools that map stacks to sources, such as ts-node, set such a function. With --enable-source-maps, Node.js shows the lines of the sources only if no other code prepares stacks.
  if (typeof before !== "function" || process.sourceMapsEnabled) return () => undefined;
  const prepare: Prepare = (error, frames) =>
    isOfPromise(frames) ? String(error) : before.call(Error, error, sourceFrames(frames, file));
  // If a program has frozen the built-in objects, this does nothing.
  Reflect.set(Error, "prepareStackTrace", prepare);
  return () => {
    // Other code may have replaced the function meanwhile.
    if (Error.prepareStackTrace === prepare) Error.prepareStackTrace = before;
  };
}

/**
 * The SDK notes where each of its promises was made, several for each property, in case one never ends. With source maps,
 * that takes more time than everything else in a constructor, and these stacks say no more than the one of the resource.
 */
const isOfPromise = ([frame]: NodeJS.CallSite[]): boolean => frame?.getFunctionName() === "debuggablePromise";

/** Keeps the frames up to our constructor: the SDK skips a fixed number of frames, which are those of its own constructors. */
function sourceFrames(frames: NodeJS.CallSite[], file: string): NodeJS.CallSite[] {
  const keptCount = frames.findIndex((frame) => frame.getFileName() === file) + 1;
  if (keptCount === 0) return frames;
  return [...frames.slice(0, keptCount), ...frames.slice(keptCount).filter((frame) => isProgram(frame, file))];
}

function isProgram(frame: NodeJS.CallSite, constructorFile: string): boolean {
  const file = frame.getFileName();
  if (!file || file === constructorFile || file.startsWith("node:")) return false;
  return !inNodeModules.test(file) && !file.startsWith(ownFolder);
}
