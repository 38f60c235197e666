import { X509Certificate } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../provider/api/client";
import { expiryWarning } from "../../provider/resources/saml-provider/certificate";
import { certificateOne, certificateTwo } from "../support/certificates";
import { lifecycleContract, patchedAt, startBench } from "./contract";

const at = (samlProviderId: string) => ({ organizationId: "acme", samlProviderId });
const path = "/v1/orgs/acme/saml/{id}";
type Body = Parameters<Client["updateSamlProvider"]>[0]["body"];
const edit = (body: Body) => (client: Client, id: string) => client.updateSamlProvider({ ...at(id), body });

const inputs = {
  label: "Okta",
  entityID: "urn:acme:okta",
  certificate: certificateOne,
  ssoURL: "https://okta.acme.test/sso",
  defaultTeam: "team_writers",
  defaultRole: "read",
};

const patched = patchedAt(path, inputs, edit);

lifecycleContract({
  resource: "SamlProvider",
  inputs,
  properties: [
    patched("label", "Okta 2", "Else"),
    patched("entityID", "urn:b", "urn:x"),
    patched("certificate", certificateTwo, certificateTwo),
    patched("ssoURL", "https://b.test/sso", "https://x.test/"),
    patched("defaultTeam", "team_support", "team_engineers"),
    { ...patched("defaultRole", "guest", "edit"), writes: [["PATCH", path, { defaultRole: null }]] },
  ],
  vanish: (client, id) => client.deleteSamlProvider(at(id)),
});

describe("SamlProvider", () => {
  let bench: Awaited<ReturnType<typeof startBench>>;
  beforeAll(async () => {
    bench = await startBench("SamlProvider");
  });
  afterAll(() => bench.stop());

  it("returns the settings that the identity provider needs, and the certificate by fingerprint and expiry", async () => {
    const { id, properties } = await bench.provider.create(inputs);
    const { fingerprint256, validTo } = new X509Certificate(certificateOne);
    expect(properties).toMatchObject({
      samlProviderId: id,
      status: "active",
      fingerprint: fingerprint256,
      expiresAt: new Date(validTo).toISOString(),
      service: { acsURL: expect.stringContaining(id), startURL: expect.any(String), entityID: expect.any(String) },
    });
    await bench.provider.delete(id, properties);
  });

  it("is pending while a setting is missing, without fingerprint and expiry", async () => {
    const { id, properties } = await bench.provider.create({ label: "Bare" });
    expect(properties).toMatchObject({ status: "pending", fingerprint: null, expiresAt: null });
    await bench.provider.delete(id, properties);
  });

  describe("with several certificates", () => {
    const both = certificateOne + certificateTwo;
    const [one, two] = [certificateOne, certificateTwo].map((text) => new X509Certificate(text).fingerprint256);

    it("sends a second one, and returns both", async () => {
      const { id, properties } = await bench.provider.create(inputs);
      expect(properties.certificates).toMatchObject([{ fingerprint: one }]);
      expect((await bench.provider.diff(id, properties, { ...inputs, certificate: both })).changes).toBe(true);
      bench.takeWrites();
      const after = await bench.provider.update(id, properties, { ...inputs, certificate: both });
      expect(bench.takeWrites()).toEqual([["PATCH", path.replace("{id}", id), { certificate: both }]]);
      const expiresAt = expect.stringMatching(/^2126-10-28T/);
      expect(after.certificates).toEqual([
        { fingerprint: one, expiresAt },
        { fingerprint: two, expiresAt },
      ]);
      await bench.provider.delete(id, after);
    });

    it("shows a certificate that was appended outside Pulumi as drift, and removes it", async () => {
      const { id, properties } = await bench.created(inputs);
      await bench.client.updateSamlProvider({ ...at(id), body: { certificate: both } });
      bench.takeWrites();
      const read = await bench.provider.read(id, properties);
      expect(read?.inputs).toEqual({ ...inputs, certificate: both });
      expect((await bench.provider.diff(id, read?.properties ?? {}, inputs)).changes).toBe(true);
      await bench.provider.update(id, read?.properties ?? {}, inputs);
      expect(bench.takeWrites()).toEqual([["PATCH", path.replace("{id}", id), { certificate: certificateOne }]]);
      await bench.provider.delete(id, properties);
    });

    it("names the certificates that a change adds and removes, once", async () => {
      const { id, properties } = await bench.provider.create({ ...inputs, certificate: both });
      for (let time = 0; time < 2; time++) await bench.provider.diff(id, properties, inputs);
      await bench.provider.diff(id, { ...properties, certificate: certificateOne }, { ...inputs, certificate: both });
      const line = (change: string) =>
        `docs-org: a change of the certificate of SAML provider "Okta": ${change} SHA-256 ${two}, expires 2126-10-28\n`;
      await expect.poll(() => bench.provider.stderr, { timeout: 10_000 }).toContain(line("adds"));
      expect(bench.provider.stderr.split(line("removes"))).toHaveLength(2);
      await bench.provider.delete(id, properties);
    });

    it("ignores order, repetition, the form and surrounding text, also of live ones", async () => {
      const { id, properties } = await bench.provider.create({ ...inputs, certificate: both });
      for (const certificate of [
        certificateTwo + certificateOne,
        both + certificateOne,
        `one\r\n${certificateOne.replaceAll("\n", "\r\n")}two\n${certificateTwo}`,
      ]) {
        expect((await bench.provider.check({}, { ...inputs, certificate })).failures).toEqual([]);
        expect((await bench.provider.diff(id, properties, { ...inputs, certificate })).changes).toBe(false);
      }
      const bare = certificateOne.replace(/-----.*-----/g, "").replace(/\s/g, "");
      const one = await bench.provider.update(id, properties, inputs);
      expect((await bench.provider.check({}, { ...inputs, certificate: bare })).failures).toEqual([]);
      await bench.client.updateSamlProvider({ ...at(id), body: { certificate: bare } });
      expect((await bench.provider.read(id, one))?.inputs).toEqual(inputs);
      await bench.provider.delete(id, properties);
    });

    it.each([
      [
        "text between the marks",
        `${certificateOne}-----BEGIN CERTIFICATE-----\nMIIBexample\n-----END CERTIFICATE-----\n`,
      ],
      ["no end", `${certificateOne}${certificateTwo.replace(/-----END.*/s, "")}`],
      ["another label", `${certificateOne}${certificateTwo.replace("MII", "AAA").replaceAll("CERT", "X509 CERT")}`],
    ])("refuses a second one with %s at preview, and treats a live one as drift", async (_, certificate) => {
      const { failures } = await bench.provider.check({}, { ...inputs, certificate });
      const reason = `found a text of ${certificate.length.toLocaleString("en")} characters; use X.509 certificates only: block 2 of 2 cannot be read as one; correct or remove it`;
      expect(failures).toEqual([{ property: "certificate", reason }]);
      const { id, properties } = await bench.created(inputs);
      await bench.client.updateSamlProvider({ ...at(id), body: { certificate } });
      expect((await bench.provider.read(id, properties))?.inputs).toEqual({ ...inputs, certificate });
      await bench.provider.delete(id, properties);
    });

    it("warns about each expired one, by name", () => {
      const text = expiryWarning(both, new Date("2126-11-30"));
      expect(text).toContain(`${one} expired on 2126-10-28`);
      expect(text).toContain(`${two} expired on 2126-10-28`);
    });
  });

  it("refuses an invalid certificate at preview, without showing it", async () => {
    for (const certificate of ["hello", certificateOne.replace("MII", "AAA"), "-----BEGIN CERTIFICATE-----"]) {
      const { failures } = await bench.provider.check({}, { ...inputs, certificate });
      const reason = `found a text of ${certificate.length} characters; use an X.509 certificate, as PEM or as base64`;
      expect(failures).toEqual([{ property: "certificate", reason }]);
    }
  });

  it("warns about a certificate that has expired or soon will", () => {
    const expiry = new Date(new X509Certificate(certificateOne).validTo).getTime();
    const warning = (days: number) => expiryWarning(certificateOne, new Date(expiry - days * 86_400_000));
    expect(warning(31.5)).toBe("");
    expect(warning(30)).toHaveWording("a certificate that expires soon");
    expect(warning(-0.5)).toHaveWording("a certificate that has expired");
  });
});
