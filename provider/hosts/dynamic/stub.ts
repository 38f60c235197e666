/**
 * The text that the engine stores with every resource and evaluates in the provider process to get its handlers. It only
 * loads installed code, from the folder of the program, so it is short and the same in every state.
 *
 * This is an interface for ever: a state written today must find `handler` in every later version of the package.
 */
export function stubOf(resource: string): string {
  return `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-docs-org/runtime").handler("${resource}")`;
}
