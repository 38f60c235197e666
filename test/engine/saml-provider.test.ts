import { X509Certificate } from "node:crypto";
import { expect, it } from "vitest";
import type { Review } from "../../provider/review/model/review";
import { certificateOne, certificateTwo } from "../support/certificates";
import { docsOrg, engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, refused } = bench;

const declaring = (certificate: string) =>
  program(`new docs.SamlProvider("okta", { label: "Okta", certificate: ${JSON.stringify(certificate)} });`);
const nameOf = (certificate: string) =>
  `SHA-256 ${new X509Certificate(certificate).fingerprint256}, expires 2126-10-28`;

it("shows a certificate that was added outside Pulumi in the preview and in the review, and removes it", async () => {
  const stack = await stackOf(declaring(certificateOne));
  done(await stack.up());
  const [provider] = (await bench.client.listSamlProviders({ organizationId: "acme" }).all()).filter(
    ({ label }) => label === "Okta",
  );
  const at = { organizationId: "acme", samlProviderId: provider?.id ?? "" };
  await bench.client.updateSamlProvider({ ...at, body: { certificate: certificateOne + certificateTwo } });

  refused(await stack.preview("--refresh", "--expect-no-changes"));
  const { output } = done(await stack.preview("--refresh", "--diff"));
  const note = `SAML provider "Okta": a change of the certificate removes ${nameOf(certificateTwo)}`;
  expect(output.split(note)).toHaveLength(2);

  const { stdout } = await stack.preview("--refresh", "--json");
  const review: Review = JSON.parse((await docsOrg(stack, ["review", "--format", "json"], stdout)).stdout);
  const names = [nameOf(certificateOne), nameOf(certificateTwo)].sort().join(" and ");
  expect(review.others).toMatchObject([
    { cause: "drift", properties: [{ name: "certificate", before: names, after: nameOf(certificateOne) }] },
  ]);
  const { stdout: markdown } = await docsOrg(stack, ["review"], stdout);
  expect(markdown).toContain("who may vouch for people");
  expect(markdown).toContain(`removes ${nameOf(certificateTwo)}`);

  done(await stack.up("--refresh"));
  expect((await bench.client.getSamlProvider(at)).certificate).toBe(certificateOne);
});
