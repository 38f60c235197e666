import { X509Certificate } from "node:crypto";

/** The certificate in a text, as PEM or as the bare base64 that identity providers put into their metadata. */
export function certificateIn(text: string): X509Certificate | undefined {
  const [, inside] = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(text) ?? [undefined, text];
  const base64 = (inside ?? "").replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return new X509Certificate(Buffer.from(base64, "base64"));
  } catch {
    // Base64 of something else: the caller says what was expected.
    return undefined;
  }
}

/** Line breaks, the words around it and what stands before it make no other certificate. */
export function sameCertificate(a: unknown, b: unknown): boolean {
  const [one, other] = [certificateIn(String(a)), certificateIn(String(b))];
  return one && other ? one.raw.equals(other.raw) : a === b;
}

const day = 86_400_000;

/** What to say of a certificate that has expired or is about to. */
export function expiryWarning(text: string, now: Date): string | undefined {
  const certificate = certificateIn(text);
  if (!certificate) return undefined;
  const expiry = new Date(certificate.validTo);
  const days = Math.floor((expiry.getTime() - now.getTime()) / day);
  if (days < 0) return `the certificate expired on ${dateOf(expiry)}: sign-ins are likely to fail; use the new one`;
  return days <= 30
    ? `the certificate expires on ${dateOf(expiry)}, in ${days} days; use the new one before`
    : undefined;
}

const dateOf = (time: Date) => time.toISOString().slice(0, 10);
