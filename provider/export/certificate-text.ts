import { certificatesIn } from "../resources/saml-provider/certificate";

const alone = /^\s*(?:-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

/** Certificates for a file of their own: what stands beside it in the text may be a private key, and is not written. */
export function certificateText(text: string): string {
  return alone.test(text) ? text : certificatesIn(text).join("");
}
