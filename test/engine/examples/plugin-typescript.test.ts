import { expect, it } from "vitest";
import { engineBench } from "../bench";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

it("imports a site, creates another one, and shows drift in a plain preview", async () => {
  const stack = await stackOf({ example: "plugin-typescript" });
  await stack.linkPackage();

  done(await stack.up(), "1 imported");
  expect(takeWrites()).toEqual([
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

  const [{ id: siteId = "" } = {}] = (await stack.resources()).filter(({ urn }) => urn.endsWith("::guide"));
  await bench.client.updateSite({ organizationId: "acme", siteId, body: { title: "Changed" } });
  done(await stack.preview("--diff"), /~ title *: "Changed" => "Guide"/);
});
