import { randomBytes } from "node:crypto";

/** The newer version's pattern for ids in paths. */
export const idPattern = /^[a-zA-Z0-9_-]+$/;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** An id as the service gives them: a prefix and 20 random letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}_${Array.from(randomBytes(20), (byte) => alphabet[byte % alphabet.length]).join("")}`;
}
