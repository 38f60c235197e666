#!/usr/bin/env node
import { keepHeapSmall } from "../start/heap";
import { watchOutput } from "./output";
import { run } from "./program";

// See `isOfCommand` of the settings, which a help need not load.
process.env.DOCS_COMMAND = "true";
keepHeapSmall();
watchOutput();

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
