import { expect, it, vi } from "vitest";
import { importFile } from "../../provider/hosts/dynamic/import-file";
import { emulate, freshFolder } from "../support/docs-org";
import { PluginProvider } from "../support/plugin-provider";
import { settingsOf } from "../support/settings";
import { entriesIn, exporting, resourceOf } from "./support";

vi.setConfig({ testTimeout: 60_000 });

it.each([
  ["Site", "site_product"],
  ["Site", "site_handbook"],
  ["SamlProvider", "saml_acme"],
  // It is pending, and the service answers an empty certificate.
  ["SamlProvider", "saml_partners"],
  ["Translation", "translation_fr"],
] as const)("imports %s %s alone with what an export declares of it, with both hosts", async (resource, id) => {
  const emulator = await emulate();
  const out = freshFolder();
  expect((await exporting("--out", out)).status).toBe(0);
  const entry = entriesIn(out).find((one) => one.id === id && resourceOf(one) === resource);
  const { __provider: _, organizationId, ...exported } = entry?.inputs ?? {};
  expect(Object.keys(exported).length).toBeGreaterThan(2);

  const { resources } = await importFile([{ resource, name: "one", id }]);
  const { __provider, ...dynamic } = (resources[0] as unknown as { inputs: Record<string, unknown> }).inputs;
  expect(dynamic).toEqual(exported);

  const provider = await PluginProvider.start(resource, { environment: settingsOf(emulator) });
  try {
    expect((await provider.readExisting(id))?.inputs).toEqual(exported);
  } finally {
    await provider.stop();
  }
});
