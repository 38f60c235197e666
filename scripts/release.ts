// npm run release -- VERSION: prepares a release in the working tree, and prints what comes next.
import { stateVersion } from "../provider/lifecycle/state-versions";
import { ReleaseError, release } from "./release/release";
import { root } from "./stack";

async function main([version = ""]: readonly string[]): Promise<number> {
  const date = new Date().toISOString().slice(0, 10);
  try {
    await release({ root, version, date, stateVersion });
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    console.error(`npm run release: ${error.message}`);
    return 2;
  }
  const commands = [
    `git commit -am "Release ${version}"`,
    `git tag v${version}`,
    "npm publish",
    "git push --follow-tags",
  ];
  console.log(`Release ${version} is prepared. Next, after .ci/run:\n${commands.map((one) => `  ${one}`).join("\n")}`);
  return 0;
}

main(process.argv.slice(2)).then((status) => {
  process.exitCode = status;
});
