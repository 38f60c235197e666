/**
 * Whether this process runs a program: then `check` saw its resources. `pulumi destroy` and `pulumi refresh` run none, so
 * what goes in a destroy goes because everything does.
 */
let running = false;
export const noteProgram = (): void => {
  running = true;
};
export const runsProgram = (): boolean => running;

/** When the engine last handed over something to be carried out. */
let handedOver = 0;
export const noteCall = (): void => {
  handedOver = Date.now();
};
export const lastCall = (): number => handedOver;
