import path from "node:path";

type Prepare = NonNullable<typeof Error.prepareStackTrace>;

const installed = /[\\/]node_modules[\\/]/;
const ownFolder = path.resolve(__dirname, "..") + path.sep;

/**
 * The SDK stores the stack of every resource in the state, and with ts-node most of it says how the program was loaded.
 * Until the returned function is called, a stack that went through the constructor in `file` contains only frames of the program:
 * the engine has less to write at every step, and shows the program's line, not ours.
 */
export function keepSourceFrames(file: string): () => void {
  const before = Error.prepareStackTrace;
  // With source maps of its own, Node.js maps a stack only where nobody else prepares it.
  if (typeof before !== "function" || process.sourceMapsEnabled) return () => undefined;
  const prepare: Prepare = (error, frames) =>
    isOfPromise(frames) ? String(error) : before.call(Error, error, sourceFrames(frames, file));
  // Where built-in objects are frozen, this does nothing.
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
  const counted = frames.findIndex((frame) => frame.getFileName() === file) + 1;
  if (counted === 0) return frames;
  return [...frames.slice(0, counted), ...frames.slice(counted).filter((frame) => isProgram(frame, file))];
}

function isProgram(frame: NodeJS.CallSite, own: string): boolean {
  const file = frame.getFileName();
  if (!file || file === own || file.startsWith("node:")) return false;
  return !installed.test(file) && !file.startsWith(ownFolder);
}
