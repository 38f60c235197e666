/** Sends one request, like a program without a client library. */
export async function request<Reply = unknown>(method: string, path: string, body?: unknown): Promise<Reply> {
  const { DOCS_BASE_URL, DOCS_TOKEN, DOCS_ORGANIZATION_ID } = process.env;
  const response = await fetch(`${DOCS_BASE_URL}/v1/orgs/${DOCS_ORGANIZATION_ID}${path}`, {
    method,
    headers: { authorization: `Bearer ${DOCS_TOKEN}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? (undefined as Reply) : JSON.parse(text);
}
