#!/usr/bin/env node
import { keepHeapSmall } from "../start/heap";
import { watchOutput } from "./output";
import { run } from "./program";

keepHeapSmall();
watchOutput();

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
