#!/usr/bin/env node
import { ignoreClosedPipes } from "./output";
import { run } from "./program";

ignoreClosedPipes();

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
