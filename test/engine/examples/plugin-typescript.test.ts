import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { pluginProject } from "../../../scripts/plugin-stack";
import { engineBench } from "../bench";

const bench = engineBench();
const { stackOf, done, writes } = bench;

it("imports a site, creates another one, and shows drift in a plain preview", async () => {
  const stack = await stackOf({ example: "plugin-typescript" });
  await stack.linkPackage();

  done(await stack.up(), "1 imported");
  expect(writes()).toEqual([
    "POST /v1/orgs/acme/sites",
    expect.stringMatching(/^POST \/v1\/orgs\/acme\/sites\/\w+\/publish$/),
  ]);
  const outputs = JSON.parse(done(await stack.run("stack", "output", "--json")).stdout);
  expect(outputs).toEqual({
    addresses: {
      guide: expect.stringMatching(/^https:/),
      product: "https://sites.docs.example/acme/product/",
    },
    administrators: expect.arrayContaining(["Ada Abbott", "Bea Berg"]),
  });
  done(await stack.preview("--expect-no-changes"));

  const [{ id: siteId = "" } = {}] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::guide"));
  await bench.client.updateSite({ organizationId: "acme", siteId, body: { title: "Changed" } });
  done(await stack.preview("--diff"), /~ title *: "Changed" => "Guide"/);
  done(await stack.destroy());
});

it("has a client with the settings of each provider object", async () => {
  const { url: baseUrl, token } = bench.emulator;
  const text = `
import * as pulumi from "@pulumi/pulumi";
import * as docs from "pulumi-docs-org/plugin";
import type { Client } from "pulumi-docs-org/client";

async function firstSite(provider: docs.Provider) {
  const client = await docs.client<Client>({ provider });
  return (await client.listSites({ organizationId: "acme" })).items[0]?.title;
}
const settings = ${JSON.stringify({ baseUrl, organizationId: "acme" })};
export const first = firstSite(new docs.Provider("acme", { ...settings, token: pulumi.secret("${token}") }));
export const second = firstSite(new docs.Provider("other", { ...settings, token: "wrong" })).catch(({ message }) => message);
`;
  const stack = await stackOf({ text }, {});
  await writeFile(path.join(stack.folder, "Pulumi.yaml"), pluginProject);
  done(await stack.preview(), /first *: "Product docs"/, /second *: ".*the token is unknown/);
});
