#!/usr/bin/env node
import { watchOutput } from "./output";
import { run } from "./program";

watchOutput();

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
