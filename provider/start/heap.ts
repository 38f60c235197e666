import { setFlagsFromString } from "node:v8";

/**
 * By default, V8 lets the heap grow to up to four times what is in use. An organization with 50,000 members would take 2 GiB,
 * of which two thirds are garbage; this takes no more time (`npm run bench:long`).
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=15");
}
