import path from "node:path";

type Prepare = NonNullable<typeof Error.prepareStackTrace>;

const installed = /[\\/]node_modules[\\/]/;
const ownFolder = path.resolve(__dirname, "..") + path.sep;

/**
 * The SDK stores the stack of every resource in the state, and with ts-node most of it says how the program was loaded.
 * Until the answer is called, a stack that went through the constructor in `file` holds only the program's own frames: less
 * to write at every step of the engine, and the position that it shows is the program's line, not ours.
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
 * that takes more time than everything else that a constructor does, and these say no more than the resource's own stack.
 */
const isOfPromise = ([frame]: NodeJS.CallSite[]): boolean => frame?.getFunctionName() === "debuggablePromise";

/** The SDK passes over as many frames as it has between a constructor of ours and the stack, so these stay. */
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
