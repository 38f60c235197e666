import { expect, it } from "vitest";
import { engineBench } from "../bench";
import { sharedFolder } from "./folder";

const bench = engineBench();
const { done, refused, settings, writes } = bench;

const shared = sharedFolder(settings);

it("goes on after Ctrl-C during the import, with the same result", async () => {
  // The export reads each of the three translations once, and the import again.
  bench.emulator.fault({ row: "getTranslation", delay: 1_000, skip: 3, times: 3 });
  const reads = () => bench.emulator.requests().getTranslation ?? 0;
  const importing = () => expect.poll(reads, { timeout: 120_000, interval: 20 }).toBeGreaterThan(3);
  const stopped = refused(
    await shared.folder.interrupted(["take-over", "--yes"], importing),
    /the import was interrupted\nNothing was changed at the service; run docs-org take-over again to go on\.$/m,
  );
  expect(stopped.status).toBe(1);
  done(
    await shared.folder.docsOrg(["take-over", "--yes"]),
    /a take-over was interrupted here; it goes on with the import/,
    /^Stack main manages 13 resources of organization acme now, and its preview shows no change/m,
  );
  expect(writes()).toEqual([]);
});
