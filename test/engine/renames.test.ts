import { expect, it } from "vitest";
import { pluginStack } from "../../scripts/plugin-stack";
import { engineBench, program } from "./bench";
import { moved } from "./plugin/plugin-stack";

const bench = engineBench();
const { stackOf, done, refused } = bench;

const sites = async () => (await bench.client.listSites({ organizationId: "acme" }).all()).map(({ id }) => id).sort();
const site = (name: string, title: string, more = "", options = "{}") =>
  `new docs.Site("${name}", { title: "${title}"${more} }, ${options});`;
const component = 'const parent = new pulumi.ComponentResource("acme:index:Group", "group");';

const words = (title: string) => [
  `Site with the title "${title}" is already recorded in this stack, as Site "portal" (site_`,
  "which the program no longer declares",
  /If the resource was renamed or moved, add the option aliases: \[\{ name: "portal" \}\]\./,
];

it("warns of a site under a new name and refuses it before anything is sent; with the alias of the message, nothing changes", async () => {
  const stack = await stackOf(program(site("portal", "Portal")));
  done(await stack.up());
  const before = await sites();
  bench.takeWrites();

  await stack.write(program(site("front", "Portal")));
  done(
    await stack.preview(),
    /pulumi up will refuse this: .* as Site "portal"/,
    /its sections, links, customization .* would be lost/,
    /aliases: \[\{ name: "portal" \}\]/,
  );
  refused(await stack.up(), ...words("Portal"));
  // With another configuration, the engine starts a second process after the refresh, and that one has read nothing.
  await stack.setConfig("docs:organizationId", "acme");
  refused(await stack.up(), ...words("Portal"));

  await stack.write(program(site("front", "Portal", "", '{ aliases: [{ name: "portal" }] }')));
  expect(done(await stack.up()).output).not.toMatch(/will refuse|created|deleted/);

  // Below a component, an alias by name alone would not be enough.
  await stack.write(program(component, site("front", "Portal", "", "{ parent }")));
  const { output } = done(
    await stack.preview(),
    /recorded\s+in\s+this\s+stack,\s+as\s+Site\s+"front"\s+\(at\s+the\s+top\s+of\s+the\s+stack\)/,
  );
  const [, urn = ""] = /aliases: \["(urn:[^"]+)"\]/.exec(output.replace(/\s*\n\s*/g, "")) ?? [];
  await stack.write(program(component, site("front", "Portal", "", `{ parent, aliases: ["${urn}"] }`)));
  done(await stack.up());
  expect([await sites(), bench.takeWrites()]).toEqual([before, []]);
});

it("tells a rename from a removal, a title that another site gets, and a replacement", async () => {
  const stack = await stackOf(program(site("a", "Alpha"), site("b", "Beta")));
  done(await stack.up());
  // The site that has had the title until now comes later in the program.
  await stack.write(
    program(site("c", "Alpha"), site("b", "Beta"), "setTimeout(() => {", site("a", "Gamma"), "}, 1_000);"),
  );
  done(await stack.up(), /\+ 1 created/, /~ 1 updated/);
  await stack.write(
    program(
      site("c", "Alpha", ', type: "premium", allowReplace: true'),
      site("b", "Beta", ', type: "ultimate", allowReplace: true', "{ deleteBeforeReplace: true }"),
    ),
  );
  done(await stack.up(), /2 replaced/, /- 1 deleted/);
  const [first] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::c"));
  done(await stack.up("--target-replace", String(first?.urn)), /1 replaced/);

  const [second] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::b"));
  const siteId = String(second?.id);
  await bench.client.updateSite({ organizationId: "acme", siteId, body: { title: "Renamed by hand" } });
  await stack.write(program(site("c", "Alpha", ', type: "premium"'), site("d", "Renamed by hand")));
  done(await stack.up("--refresh=false"), /\+ 1 created/, /- 1 deleted/);
});

it("warns in a plain preview through the plugin, and refuses in a plain up; the alias of the message works", async () => {
  const declared = (...lines: string[]) => ({ text: moved(program(...lines).text) });
  const stack = await stackOf(declared(site("portal", "Front door")), bench.settings(), pluginStack);
  done(await stack.up());
  bench.takeWrites();
  await stack.write(declared(site("front", "Front door")));
  refused(await stack.up(), ...words("Front door"));
  await stack.write(declared(component, site("portal", "Front door", "", "{ parent }")));
  const { output } = done(await stack.preview(), /as Site "portal" \(at the top .*\) \(site_/);
  const [, urn = ""] = /aliases: \["(urn:[^"]+)"\]/.exec(output) ?? [];
  await stack.write(declared(component, site("portal", "Front door", "", `{ parent, aliases: ["${urn}"] }`)));
  expect(done(await stack.up()).output).not.toMatch(/will refuse|Site .* (created|deleted)/);
  expect(bench.takeWrites()).toEqual([]);
});

it("creates nothing twice after a loss of the state, already at the preview of the plugin and of an organization", async () => {
  const text = program(site("lost", "Lost"), site("gone", "Gone"));
  done(await (await stackOf(text)).up());
  const before = await sites();
  bench.takeWrites();

  const all = /2 declared objects already exist, managed by no resource that this run knows:/;
  refused(await (await stackOf(text)).up(), all);
  const organization = '{ organization: "acme", sites: { lost: { title: "Lost" }, gone: { title: "Gone" } } }';
  const component = await stackOf(program(`new docs.Organization("acme", ${organization});`));
  refused(await component.preview(), /manages nothing yet, and 2 objects that the program declares already exist:/);
  const stack = await stackOf({ text: moved(text.text) }, bench.settings(), pluginStack);
  const [, ids] = /DOCS_TAKE_OVER=(\S+)/.exec(refused(await stack.preview(), all).output) ?? [];

  stack.environment.DOCS_TAKE_OVER = ids;
  done(await stack.up(), /\+ 3 created/);
  delete stack.environment.DOCS_TAKE_OVER;
  done(await stack.preview(), /3 unchanged/);
  expect([await sites(), bench.takeWrites()]).toEqual([before, []]);
});
