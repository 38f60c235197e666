import { randomBytes } from "node:crypto";

/** Pattern of ids in paths, from version 0.202 of the service. */
export const idPattern = /^[a-zA-Z0-9_-]+$/;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Creates an id like those of the service: a prefix and 20 random letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join("")}`;
}
