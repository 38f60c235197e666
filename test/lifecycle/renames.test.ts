import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { refusedRename } from "../../provider/lifecycle/rename-messages";
import type { ResourceName } from "../../provider/resources/names";
import { site } from "../../provider/resources/site/site";
import { type LogOfEngine, PluginProvider } from "../support/plugin-provider";
import type { Properties } from "../support/protocol-provider";
import { host, type ProviderOfRun, startRun } from "../support/provider";
import { configOf } from "../support/settings";

/** A site under another name, which the engine takes for a new one: it would delete the old one with all its content. */

const inputs = { title: "Portal" };
let emulator: Emulator;
let provider: ProviderOfRun;
let old: { readonly id: string; readonly properties: Properties };

const start = async () => {
  provider = await startRun("Site", { config: configOf(emulator) });
};
const named = (name: string) => provider.of("Site", name);
const siteOf = (made: typeof old) => made.properties.siteId;

beforeEach(async () => {
  emulator = await startEmulator();
  await start();
  await named("old").check(undefined, inputs);
  old = await named("old").create(inputs);
  await provider.stop();
  await start();
  emulator.resetRequests();
});
afterEach(async () => {
  await provider.stop();
  await emulator.close();
});

/** What a class of the dynamic host passes to `check`; the plugin has read the state itself, with the names. */
const handed = (declared: Properties, resource = "Site", identity = 'title "Portal"', { id } = old): Properties => {
  if (host === "plugin") return declared;
  const object = { resource, id, urn: `urn:pulumi:test::project::${resource}::old`, organizationId: "acme" };
  const thing = { ...object, identities: [identity], allowed: false };
  const former = { name: `${resource} "old"`, wayToKeep: 'add the option aliases: [{ name: "old" }]' };
  return { ...declared, __services: { services: {}, former: [{ ...thing, former }] } };
};
const refresh = () => named("old").read(old.id, old.properties);

describe("the creation of a site that the state has under another name", () => {
  it("is refused with both names before anything is sent", async () => {
    await refresh();
    emulator.resetRequests();
    await named("new").check(undefined, handed(inputs));
    const creating = named("new").create(inputs);
    await expect(creating).rejects.toHaveWording("a resource under another name");
    await expect(creating).rejects.toThrow('add the option aliases: [{ name: "old" }]');
    expect(emulator.log).toEqual([]);
  });

  it.each<[ResourceName, Properties, string]>([
    ["SamlProvider", { label: "Sign-in" }, 'label "Sign-in"'],
    [
      "Translation",
      { source: { space: "guides", language: "en" }, language: "it" },
      'source "guides" and language "it"',
    ],
  ])("is refused for a %s as well", async (resource, declared, identity) => {
    const made = await provider.of(resource, "old").create(declared);
    await provider.stop();
    await start();
    await provider.of(resource, "old").read(made.id, made.properties);
    emulator.resetRequests();
    const renamed = provider.of(resource, "new");
    await renamed.check(undefined, handed(declared, resource, identity, made));
    await expect(renamed.create(declared)).rejects.toThrow(
      `${resource} with the ${identity} is already recorded in this stack, as ${resource} "old" (${made.id})`,
    );
    expect(emulator.log).toEqual([]);
  });

  it("is no rename if the old one is gone", async () => {
    emulator.state.organizations.get("acme")?.sites.delete(old.id);
    await refresh();
    await named("new").check(undefined, handed(inputs));
    expect((await named("new").create(inputs)).id).not.toBe(old.id);
  });

  it("is no rename if the old one is declared with another title, or if a second one is wanted", async () => {
    await refresh();
    await named("new").check(undefined, handed(inputs));
    const second = await named("second").create({ ...inputs, allowDuplicate: true });
    await named("old").check(inputs, { title: "Gamma" });
    // The engine declares the old one while the creation waits.
    const creating = named("new").create(inputs);
    await named("old").diff(old.id, old.properties, { title: "Gamma" });
    expect(siteOf(await creating)).not.toBe(siteOf(second));
  });

  it("is a warning of a preview, below the resource", async () => {
    if (!(provider instanceof PluginProvider)) return;
    await refresh();
    await named("new").check(undefined, inputs);
    await (named("new") as PluginProvider).preview(inputs);
    const { log } = provider as unknown as { readonly log: LogOfEngine };
    const text = expect.stringMatching(/^pulumi up will .* as Site "old" .* aliases: /);
    await expect
      .poll(() => log.messages)
      .toEqual([expect.objectContaining({ urn: expect.stringMatching(/::new$/), text })]);
  });
});

it("the refusal of a renamed resource is readable without a loss", () => {
  const { deletionLoses: _, ...lossless } = site;
  const former = { name: 'Site "old"', wayToKeep: "keep it" };
  const { message } = refusedRename(lossless, 'title "A"', "site_1", former);
  expect(message).toHaveWording("a resource under another name whose deletion loses nothing");
});
