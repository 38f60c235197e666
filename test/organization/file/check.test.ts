import { expect, test } from "vitest";
import { checkOrganization } from "../../../provider/organization/file/check";
import { certificateOne } from "../../support/certificates";
import { folderWith, messageOf, now } from "../files";

test("an object is returned unchanged, with the certificate of its file", () => {
  const folder = folderWith({ "certs/idp.pem": certificateOne });
  const saml = { idp: { label: "IdP", certificateFile: "certs/idp.pem" }, old: { label: "Old" } };
  const value = { organization: "o", members: { a: "admin" }, saml };
  expect(checkOrganization(value, { folder, now })).toEqual({
    ...value,
    saml: { idp: { label: "IdP", certificate: certificateOne }, old: { label: "Old" } },
  });
});

test("all mistakes are reported at once, by their paths", () => {
  const check = () =>
    checkOrganization(
      {
        organization: 5,
        guards: { minAdmins: 2, requiredAdmins: ["ops@acme.test"] },
        members: { "W@x.test": "admin", "w@x.test": { role: "edti" } },
        saml: { idp: { label: "IdP", certificateFile: "../idp.pem" } },
      },
      { now },
    );
  expect(messageOf(check)).toHaveWording("mistakes of an object");
});

test.each([null, undefined, "organization.yaml", [], 5])("%s is not an organization", (value) => {
  expect(messageOf(() => checkOrganization(value))).toMatch(/(?:found .*|missing); use an object$/);
});
