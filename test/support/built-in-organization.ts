import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Seed } from "../../provider/emulator";

/** The organization of an emulator that is started without a seed. */
export const builtIn: Seed["organizations"] = parse(
  readFileSync(join(__dirname, "../../examples/emulator/seed.yaml"), "utf8"),
).organizations;
