import { expect, it } from "vitest";
import { json, serve } from "../support/http-server";
import { startProvider } from "../support/provider";

it("no configured token leaves the provider process, whatever the service repeats", async () => {
  const token = "TOKENLEAKCANARY1234567890";
  const other = "OTHERLEAKCANARY1234567890";
  const ofPulumi = "pul-9f8e7d6c5b4a39281706";
  const server = await serve((response, { headers }, nth) => {
    // The dashes put the token where messages cut a text (80 characters).
    const echo = `${"-".repeat(72)}${headers.authorization} and ${Buffer.from(other).toString("base64")} ${other} ${ofPulumi}`;
    if (nth % 2 === 1) response.writeHead(400).end(`<html>${echo}</html>`);
    else json(response, 200, { items: [{ id: echo }] });
  });
  const config = {
    "docs:baseUrl": server.url,
    "docs:token": token,
    "docs:tokens": JSON.stringify({ globex: other }),
    "docs:organizationId": "acme",
  };
  const provider = await startProvider("Site", { config, environment: { PULUMI_ACCESS_TOKEN: ofPulumi } });
  try {
    for (let call = 0; call < 2; call++) {
      const error = (await provider.create({ title: "Handbook" }).catch((reason: Error) => reason)) as Error;
      expect(error.message).toContain("could not list");
      const said = `${error.message} ${JSON.stringify(error)} ${provider.stderr}`;
      // Parts of the tokens; the long one is in base64.
      expect(said).not.toMatch(/LEAKCA|EAKCAN|T1RIRVJMRUFLQ0FOQVJZ|9f8e7d/);
    }
  } finally {
    await provider.stop();
    await server.close();
  }
});
