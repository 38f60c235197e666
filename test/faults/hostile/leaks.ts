/** The forms in which a text may hide a secret: as it is, encoded for a URL, in hexadecimal digits, and in base64 at any offset. */
export function leaksOf(secret: string, text: string): string[] {
  const bytes = Buffer.from(secret);
  // Without the last characters, and without the first four after an offset: they depend on the bytes beside the secret.
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "")
      .slice(offset === 0 ? 0 : 4, -2),
  );
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const forms = [
    secret,
    encodeURIComponent(secret),
    percent,
    bytes.toString("hex"),
    ...shifted,
    ...shifted.map((one) => one.replaceAll("+", "-").replaceAll("/", "_")),
  ];
  const lower = text.toLowerCase();
  return forms.filter((form) => text.includes(form) || (/^[%0-9a-f]+$/.test(form) && lower.includes(form)));
}
