import { createPrivateKey } from "node:crypto";

/** Certificates of hosts that exist only here, signed with the key below; the valid ones end in October 2126. */
const jwk = {
  kty: "EC",
  crv: "P-256",
  x: "ZJ9_Lnp6M3Xd-DqhV8qVWL1cMv_dRdliDFrp245FgB4",
  y: "eyf4w37SSo7FOP-A5P8a44mGGcqo_Ghg5gO9T6EQs-g",
  d: "KHmcZLdQSlV6IZXaIJwq-mDUAWzUZjH-sGhjqHKtK-8",
};
export const key = createPrivateKey({ key: jwk, format: "jwk" }).export({ type: "pkcs8", format: "pem" });

/** For 127.0.0.1 and docs.test. */
export const ownCertificate = `-----BEGIN CERTIFICATE-----
MIIBWjCCAQGgAwIBAgIUdL0ubnrJgwinrlepWZ9Xwlq2J3gwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJZG9jcy50ZXN0MCAXDTI2MDEwMTAwMDAwMFoYDzIxMjYxMDAx
MDAwMDAwWjAUMRIwEAYDVQQDDAlkb2NzLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARkn38uenozdd34OqFXypVYvVwy/91F2WIMWunbjkWAHnsn+MN+0kqO
xTj/gOT/GuOJhhnKqPxoYOYDvU+hELPooy8wLTAaBgNVHREEEzARgglkb2NzLnRl
c3SHBH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiAvBnGW
CNRrbU3fp9IilUiJ+uTtPpDjyHR4whr9be6X4wIgAxBd7jCk2u/QCypfvGalyaZd
TZ+iHEFXIySkZj8es7s=
-----END CERTIFICATE-----
`;
export const ofOtherHost = `-----BEGIN CERTIFICATE-----
MIIBVzCB/qADAgECAhRErcdM7EbeFfxgxKplPLwPvkHnBDAKBggqhkjOPQQDAjAV
MRMwEQYDVQQDDApvdGhlci50ZXN0MCAXDTI2MDEwMTAwMDAwMFoYDzIxMjYxMDAx
MDAwMDAwWjAVMRMwEQYDVQQDDApvdGhlci50ZXN0MFkwEwYHKoZIzj0CAQYIKoZI
zj0DAQcDQgAEZJ9/Lnp6M3Xd+DqhV8qVWL1cMv/dRdliDFrp245FgB57J/jDftJK
jsU4/4Dk/xrjiYYZyqj8aGDmA71PoRCz6KMqMCgwFQYDVR0RBA4wDIIKb3RoZXIu
dGVzdDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQChnkK8gFaI
FsWf5ibkpI2bxkUu/mrVJZXX9O+8QbOlVQIgTKFNf53k8haHsD1wY8KcOfPOxNtr
B5kcghGeJJ9eHAw=
-----END CERTIFICATE-----
`;
export const expired = `-----BEGIN CERTIFICATE-----
MIIBWTCB/6ADAgECAhQZs1t8F3LstCF+m4kWglLD8hEWujAKBggqhkjOPQQDAjAU
MRIwEAYDVQQDDAlkb2NzLnRlc3QwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAw
MDAwWjAUMRIwEAYDVQQDDAlkb2NzLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMB
BwNCAARkn38uenozdd34OqFXypVYvVwy/91F2WIMWunbjkWAHnsn+MN+0kqOxTj/
gOT/GuOJhhnKqPxoYOYDvU+hELPooy8wLTAaBgNVHREEEzARgglkb2NzLnRlc3SH
BH8AAAEwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA7AQlR/0O
XZvTLrVuyZxnJxBI+ehbOhfk3hURcNNz0RkCIQCXrTLBCyenkE2FaNS3HP9XvQSw
kYcm/6mLCEDInvJRbw==
-----END CERTIFICATE-----
`;
