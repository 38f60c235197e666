#!/usr/bin/env node
import { keepHeapSmall } from "../start/heap";
import { loadLate } from "../start/late-modules";
import { watchOutput } from "./output";
import { run } from "./program";

// `isRunByDocsOrg` of the settings reads this variable. Its name is repeated here, since showing the help loads no settings.
process.env.DOCS_COMMAND = "true";
keepHeapSmall();
loadLate();
watchOutput();

void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
