import { createServer, type Server } from "node:http";

/**
 * The key of the secrets of a stack, as the engine writes it into settings and state. The encrypted key is what `keyService`
 * decrypts to 32 bytes: it only takes away the prefix.
 */
export const stackKey = {
  url: "hashivault://stacks",
  encryptedkey: Buffer.from(`vault:v1:${Buffer.alloc(32, "a key for tests ").toString("base64")}`).toString("base64"),
};

/** What the engine reads to find the service. */
export const keyEnvironment = (port: string): Record<string, string> => ({
  VAULT_SERVER_URL: `http://127.0.0.1:${port}`,
  VAULT_SERVER_TOKEN: "a token for tests",
  // An option of the commands that make a stack.
  PULUMI_OPTION_SECRETS_PROVIDER: stackKey.url,
  ENGINE_NODE_KEY: JSON.stringify(stackKey),
});

/**
 * A key service with what the engine calls, `transit/encrypt` of Vault for a new stack and `transit/decrypt` for an existing one. The
 * engine derives a key from a passphrase with a million rounds of a hash, a fifth of a second in each command; how it encrypts secrets
 * with a key is the same.
 */
export function keyService(): Server {
  return createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { ciphertext, plaintext } = JSON.parse(Buffer.concat(chunks).toString());
    const data = plaintext
      ? { ciphertext: `vault:v1:${plaintext}` }
      : { plaintext: String(ciphertext).replace("vault:v1:", "") };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
}
