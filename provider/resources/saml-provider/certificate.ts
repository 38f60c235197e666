import { X509Certificate } from "node:crypto";
import { counted } from "../../text/safe-text";

const begin = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const end = /-----END (?:X509 |TRUSTED )?CERTIFICATE-----/;

/** The base64 of each PEM block in a text. A text without one is bare base64, as in the metadata of identity providers. */
function blocksIn(text: string): string[] {
  const [alone = "", ...parts] = text.split(begin);
  if (parts.length === 0) return [alone];
  // A block without an end cannot be read.
  return parts.map((part) => (end.test(part) ? (part.split(end, 1)[0] ?? "") : ""));
}

function readBlock(block: string): X509Certificate | undefined {
  const base64 = block.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return undefined;
  try {
    return new X509Certificate(Buffer.from(base64, "base64"));
  } catch {
    // The base64 is not a certificate: the caller says what was expected.
    return undefined;
  }
}

/**
 * Every certificate in a text, ignoring the text around them. If one of them cannot be read, the result is empty, because it is
 * unknown whose certificate that is.
 */
export function certificatesIn(text: string): X509Certificate[] {
  const certificates = blocksIn(text).map(readBlock);
  return certificates.every((one) => one !== undefined) ? certificates : [];
}

/** Says what to use instead if a text is not a valid declaration of certificates. */
export function certificateMistake(text: string): string | undefined {
  const blocks = blocksIn(text);
  const wrong = blocks.findIndex((block) => readBlock(block) === undefined);
  if (wrong < 0) return undefined;
  if (blocks.length === 1) return "use an X.509 certificate, as PEM or as base64";
  return `use X.509 certificates only: block ${wrong + 1} of ${blocks.length} cannot be read as one; correct or remove it`;
}

/**
 * Whether two texts contain the same set of certificates. Order, repetition, line breaks and the text around the certificates
 * do not matter.
 */
export function sameCertificate(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const names = certificateNames(a);
  return names.length > 0 && names.join() === certificateNames(b).join();
}

/** Describes each certificate once, for readers: fingerprint and expiry. */
export function certificateNames(text: unknown): string[] {
  return [...new Set(endsOfCertificates(String(text)).map(certificateName))].sort();
}

export const certificateName = ({ fingerprint, expiresAt }: CertificateEnd): string =>
  `SHA-256 ${fingerprint}, expires ${expiresAt.slice(0, 10)}`;

/** Lists the certificates that a change adds and removes, for readers; empty if one of the two texts is not readable. */
export function certificateChanges(before: unknown, after: unknown): string[] {
  const [namesBefore, namesAfter] = [certificateNames(before), certificateNames(after)];
  return namesBefore.length === 0 || namesAfter.length === 0 ? [] : changesBetween(namesBefore, namesAfter);
}

/** As `certificateChanges`, for the names of certificates. */
export const changesBetween = (before: readonly string[], after: readonly string[]): string[] => [
  ...after.filter((name) => !before.includes(name)).map((name) => `adds ${name}`),
  ...before.filter((name) => !after.includes(name)).map((name) => `removes ${name}`),
];

export interface CertificateEnd {
  readonly fingerprint: string;
  readonly expiresAt: string;
}

export const endsOfCertificates = (text: string): CertificateEnd[] =>
  certificatesIn(text).map(({ fingerprint256, validTo }) => {
    return { fingerprint: fingerprint256, expiresAt: new Date(validTo).toISOString() };
  });

const day = 86_400_000;

/** One warning about all certificates that have expired or expire within 30 days; empty if there are none. */
export function expiryWarning(text: string, now: Date): string {
  const expiries = describeExpiries(endsOfCertificates(text), "", { now, period: 31 * day - 1 });
  return expiries.map((one) => one.text).join("; ");
}

/** A sentence about each certificate that has expired, or expires within the period. `whose` follows the word certificate. */
export function describeExpiries(
  ends: readonly CertificateEnd[],
  whose: string,
  { now, period }: { readonly now: Date; readonly period: number },
) {
  return ends.flatMap(({ fingerprint, expiresAt }) => {
    const left = Date.parse(expiresAt) - now.getTime();
    if (left > period) return [];
    const name = ends.length > 1 ? `certificate SHA-256 ${fingerprint}` : "certificate";
    const on = expiresAt.slice(0, 10);
    const what =
      left < 0
        ? `expired on ${on}: sign-ins are likely to fail; use the new one`
        : `expires on ${on}, in ${counted(Math.floor(left / day), "day")}; use the new one before`;
    return [{ on: expiresAt, text: `the ${name}${whose} ${what}` }];
  });
}
