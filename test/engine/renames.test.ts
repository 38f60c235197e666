import { describe, expect, it } from "vitest";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused } = bench;

const sites = async () => (await bench.client.listSites({ organizationId: "acme" }).all()).map(({ id }) => id).sort();
const writes = () => bench.emulator.log.filter(({ method }) => method !== "GET").map(({ row }) => row);
const site = (name: string, title: string, more = "", options = "{}") =>
  `new docs.Site("${name}", { title: "${title}"${more} }, ${options});`;

describe("a site under a new name", () => {
  it("is a warning of the preview, and refused by the up before anything is sent; with an alias, nothing changes", async () => {
    const stack = await stackOf(program(site("portal", "Portal")));
    done(await stack.up());
    const before = await sites();
    bench.emulator.resetRequests();

    await stack.write(program(site("front", "Portal")));
    done(
      await stack.preview(),
      /pulumi up will refuse this: Site with the title "Portal" is already recorded in this stack, as Site "portal"/,
      /its sections, links, customization .* would be lost/,
      /aliases: \[\{ name: "portal" \}\]/,
    );
    const words = [
      /Site with the title "Portal" is already recorded in this stack, as Site "portal" \(site_\w+\), which the program no longer declares/,
      /If the resource was renamed or moved, add the option aliases: \[\{ name: "portal" \}\]\./,
    ];
    refused(await stack.up(), ...words);
    refused(await stack.up("--refresh=false"), ...words);
    // The engine starts another process after the refresh, which has read nothing.
    await stack.setConfig("docs:organizationId", "acme");
    refused(await stack.up(), ...words);
    expect([await sites(), writes()]).toEqual([before, []]);

    await stack.write(program(site("front", "Portal", "", '{ aliases: [{ name: "portal" }] }')));
    const { output } = done(await stack.preview());
    expect(output).not.toMatch(/will refuse|to create|to delete/);
    done(await stack.up());
    expect([await sites(), writes()]).toEqual([before, []]);

    // Below a component, an alias by name alone would not be enough.
    const component = 'const group = new pulumi.ComponentResource("acme:index:Group", "group");';
    await stack.write(program(component, site("front", "Portal", "", "{ parent: group }")));
    const moved = done(
      await stack.preview(),
      /recorded\s+in\s+this\s+stack,\s+as\s+Site\s+"front"\s+\(at\s+the\s+top\s+of\s+the\s+stack\)/,
    );
    const [, urn = ""] = /aliases: \["(urn:[^"]+)"\]/.exec(moved.output.replace(/\s*\n\s*/g, "")) ?? [];
    await stack.write(program(component, site("front", "Portal", "", `{ parent: group, aliases: ["${urn}"] }`)));
    done(await stack.up());
    expect([await sites(), writes()]).toEqual([before, []]);
    done(await stack.destroy());
  });

  it("is told apart from a removal, an additional site, a title that another site gets, and a replacement", async () => {
    const stack = await stackOf(program(site("a", "Alpha"), site("b", "Beta")));
    done(await stack.up());
    await stack.write(program(site("a", "Alpha")));
    expect(done(await stack.preview(), /- 1 to delete/).output).not.toMatch(/will refuse/);
    done(await stack.up(), /- 1 deleted/);

    // The one that has the title so far comes later in the program.
    await stack.write(program(site("c", "Alpha"), "setTimeout(() => {", site("a", "Gamma"), "}, 1_000);"));
    done(await stack.up(), /\+ 1 created/, /~ 1 updated/);
    await stack.write(program(site("c", "Alpha", ', type: "premium", allowReplace: true'), site("a", "Gamma")));
    done(await stack.up(), /1 replaced/);
    await stack.write(
      program(
        site("c", "Alpha", ', type: "ultimate", allowReplace: true', "{ deleteBeforeReplace: true }"),
        site("a", "Gamma"),
      ),
    );
    done(await stack.up(), /1 replaced/);
    const [first] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::c"));
    done(await stack.up("--target-replace", String(first?.urn)), /1 replaced/);
    done(await stack.destroy(), /- 3 deleted/);
  });
});
