// The start of the provider plugin, bundled into plugin/index.js by scripts/bundle.mjs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import { Script } from "node:vm";
import { keepHeapSmall } from "./heap";
import { UserCache } from "./user-cache";

/** The hash of the bundle; the bundler writes it here. */
declare const BUNDLE_HASH: string;

/** Milliseconds: by then, the plugin has answered the first calls, and V8 has compiled what they need. */
const startTimeout = 250;

/**
 * Runs the bundle with the code that V8 compiled in an earlier run: compiling is half of the time until the plugin is ready. V8
 * itself refuses code of another version of V8 or of another bundle.
 */
function runBundle(): void {
  const file = join(__dirname, "provider.js");
  const cache = new UserCache("code", process.env);
  const name = `plugin-${BUNDLE_HASH}-${process.version}-${process.arch}`;
  const cachedData = unseal(cache.read(name));
  const script = new Script(Module.wrap(readFileSync(file, "latin1")), { filename: file, cachedData });
  if (cachedData === undefined || script.cachedDataRejected)
    setTimeout(() => cache.write(name, seal(script.createCachedData())), startTimeout).unref();
  script.runInThisContext()(exports, require, module, file, __dirname);
}

const hashOf = (code: Buffer): Buffer => createHash("sha256").update(code).digest();

/** V8 does not notice damaged code, such as after a power loss. */
const seal = (code: Buffer): Buffer => Buffer.concat([hashOf(code), code]);

function unseal(content: Buffer | undefined): Buffer | undefined {
  const [hash, code] = [content?.subarray(0, 32), content?.subarray(32)];
  return hash && code && hashOf(code).equals(hash) ? code : undefined;
}

keepHeapSmall();
runBundle();
