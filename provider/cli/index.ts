#!/usr/bin/env node
import { commandVariable } from "../run/settings";
import { keepHeapSmall } from "../start/heap";
import { watchOutput } from "./output";
import { run } from "./program";

process.env[commandVariable] = "true";
keepHeapSmall();
watchOutput();

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
