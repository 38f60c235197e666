import { writeFile } from "node:fs/promises";
import path from "node:path";
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
    refused(
      await stack.up(),
      /Site with the title "Portal" is already recorded in this stack, as Site "portal" \(site_\w+\), which the program no longer declares/,
      /If the resource was renamed or moved, add the option aliases: \[\{ name: "portal" \}\]\./,
    );
    // The engine starts another process after the refresh, which has read nothing.
    await stack.setConfig("docs:organizationId", "acme");
    refused(
      await stack.up(),
      /already recorded in this stack, as Site "portal" \(site_\w+\), which the program no longer declares/,
      /add the option aliases: \[\{ name: "portal" \}\]\./,
    );
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

  it("is refused for two sites at once and for other resources with content, unless the loss is declared", async () => {
    const saml = (name: string, more = "") => `new docs.SamlProvider("${name}", { label: "Sign-in"${more} });`;
    const translation = (name: string, more = "") =>
      `new docs.Translation("${name}", { source: { space: "guides", language: "en" }, language: "it"${more} });`;
    const all = (end: string, more = "") =>
      program(
        site(`a${end}`, "First", more),
        site(`b${end}`, "Second", more),
        saml(`s${end}`, more),
        translation(`t${end}`, more),
      );
    const stack = await stackOf(all("1"));
    done(await stack.up(), /\+ 5 created/);
    const before = await sites();
    bench.emulator.resetRequests();

    await stack.write(all("2"));
    done(
      await stack.preview(),
      ...["a1", "b1", "s1", "t1"].map((name) => new RegExp(`aliases: \\[\\{ name: "${name}" \\}\\]`)),
    );
    // Of several errors, the engine prints its own stacks as well.
    const { status, output } = await stack.up("--continue-on-error");
    expect(status).not.toBe(0);
    for (const identity of [
      'title "First"',
      'title "Second"',
      'label "Sign-in"',
      'source "guides" and language "it"',
    ]) {
      expect(output.replaceAll("\\", "")).toContain(`with the ${identity} is already recorded in this stack`);
    }
    expect([await sites(), writes()]).toEqual([before, []]);

    await stack.write(all("2", ", allowDuplicate: true"));
    expect(done(await stack.preview()).output).not.toMatch(/will refuse/);
    done(await stack.up(), /\+ 4 created/, /- 4 deleted/);
    expect((await sites()).filter((id) => before.includes(id))).toHaveLength(before.length - 2);
    done(await stack.destroy());
  });

  it("is explained with the key of organization.yaml", async () => {
    const organization = (key: string) =>
      program(
        `new docs.Organization("acme", { organization: "acme", sites: { ${key}: { title: "Guides", protect: false } } });`,
      );
    const stack = await stackOf(organization("guides"));
    done(await stack.up());
    await stack.write(organization("front"));
    const wayOut = /If the resource was renamed or moved, keep its key "guides" in organization\.yaml\. To create/;
    const { output } = done(await stack.preview(), /recorded in this stack, as Site "acme-guides"/, wayOut);
    expect(output).not.toContain("aliases:");
    const { output: text } = refused(
      await stack.up(),
      /as Site "acme-guides" \(site_\w+\), which the program no longer declares/,
      /If the resource was renamed or moved, keep its key "guides" in organization\.yaml\. To create a new one/,
    );
    expect(text).not.toContain("aliases:");
    await stack.write(organization("guides"));
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

  it("is refused in a stack without a refresh", async () => {
    const stack = await stackOf(program(site("old", "Plain")));
    await writeFile(path.join(stack.folder, "Pulumi.yaml"), "name: docs-org-test\nruntime: nodejs\nmain: index.ts\n");
    done(await stack.up());
    const [old = ""] = (await stack.resources()).map(({ id }) => id);
    // A younger one that nobody manages in this run would be taken for the work of a run that was killed.
    const stored = bench.emulator.state.organizations.get("acme")?.sites.get(old);
    Object.assign(stored as object, { createdAt: "2026-01-01T00:00:00.000Z" });
    done(await stack.refresh());

    await stack.write(program(site("new", "Plain")));
    done(await stack.preview(), /aliases: \[\{ name: "old" \}\]/);
    refused(
      await stack.up(),
      /already recorded in this stack, as Site "old" \(site_\w+\), which the program no longer declares/,
    );
    expect((await stack.resources()).map(({ id }) => id)).toEqual([old]);

    done(await stack.destroy());
  });
});
