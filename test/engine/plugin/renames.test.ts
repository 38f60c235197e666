import { expect, it } from "vitest";
import { engineBench } from "../bench";
import { moved, pluginStack } from "./plugin-stack";

const bench = engineBench();
const { done, refused } = bench;
const program = (...lines: string[]) => ({
  text: moved(
    ['import * as pulumi from "@pulumi/pulumi";', 'import * as docs from "pulumi-docs-org";', ...lines].join("\n"),
  ),
});
const site = (name: string, options = "{}", more = "") =>
  `new docs.Site("${name}", { title: "Portal"${more} }, ${options});`;

/** The messages at the end of a command: those above them show each message as well. */
const diagnosticsIn = (output: string): string => output.slice(output.indexOf("Diagnostics:"));

it("warns in a plain preview of a site under a new name, and refuses it in a plain up before anything is sent", async () => {
  const stack = await pluginStack(program(site("portal")).text, bench.settings());
  try {
    done(await stack.up());
    bench.writes();
    await stack.write(program(site("front")));
    done(
      await stack.preview(),
      /pulumi up will refuse this: Site with the title "Portal" is already recorded in this stack, as Site "portal" \(site_\w+\)/,
      /add the option aliases: \[\{ name: "portal" \}\]\. To create a new one and delete the old one/,
    );
    refused(
      await stack.up(),
      /Site with the title "Portal" is already recorded in this stack, as Site "portal" \(site_\w+\), which the program no longer declares/,
      /If the resource was renamed or moved, add the option aliases: \[\{ name: "portal" \}\]\./,
    );

    const group = 'const parent = new pulumi.ComponentResource("acme:index:Group", "group");';
    await stack.write(program(group, site("portal", "{ parent }")));
    const { output } = done(await stack.preview());
    expect(diagnosticsIn(output)).toContain('as Site "portal" (at the top of the stack) (site_');
    const [, urn = ""] = /aliases: \["(urn:[^"]+)"\]/.exec(output) ?? [];
    await stack.write(program(group, site("portal", `{ parent, aliases: ["${urn}"] }`)));
    expect(done(await stack.up()).output).not.toMatch(/will refuse|Site .* (created|deleted)/);
    expect(bench.writes()).toEqual([]);

    await stack.write(program(site("front", "{}", ", allowDuplicate: true")));
    expect(done(await stack.preview()).output).not.toMatch(/will refuse/);
    done(await stack.up(), /\+ 1 created/);
  } finally {
    await stack.remove();
  }
});

it("warns once of a site under a new key of organization.yaml, with the key", async () => {
  const organization = (key: string) =>
    program(
      `new docs.Organization("acme", { organization: "acme", sites: { ${key}: { title: "Guides", protect: false } } });`,
    );
  const stack = await pluginStack(organization("guides").text, bench.settings());
  try {
    done(await stack.up());
    await stack.write(organization("front"));
    const { output } = done(await stack.preview(), /keep its key "guides" in organization\.yaml/);
    expect(output).not.toContain("aliases:");
    expect(diagnosticsIn(output).match(/recorded in this stack, as Site "acme-guides"/g)).toHaveLength(1);
    const { status, output: text } = await stack.up();
    expect([status === 0, text.replaceAll("\\", "")]).toEqual([
      false,
      expect.stringMatching(
        /as Site "acme-guides" \(site_\w+\), which .* If the resource was renamed or moved, keep its key "guides" in organization\.yaml\./,
      ),
    ]);
  } finally {
    await stack.remove();
  }
});
