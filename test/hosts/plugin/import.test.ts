import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { PluginProvider } from "../../support/plugin-provider";
import { settingsOf } from "../../support/settings";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

it.each(["no certificate", " "])("warns once of a live value that no program can declare: %j", async (certificate) => {
  Object.assign(emulator.state.organizations.get("acme")?.saml.get("saml_acme") ?? {}, { certificate });
  const provider = await PluginProvider.start("SamlProvider", { environment: settingsOf(emulator) });
  try {
    const read = await provider.readExisting("saml_acme");
    expect(read?.inputs).not.toHaveProperty("certificate");
    const { inputs } = await provider.check({}, read?.inputs ?? {});
    await provider.diff("saml_acme", read?.properties ?? {}, inputs);
    await expect.poll(() => provider.stderr).toMatch(/certificate is left out, because a program cannot declare it: /);
    expect(provider.stderr.split("left out")).toHaveLength(2);
  } finally {
    await provider.stop();
  }
});
