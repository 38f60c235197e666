import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../provider/emulator";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

async function send(path: string, body: string, method = "PATCH") {
  const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
  const response = await fetch(emulator.url + path, { method, headers, body });
  return { status: response.status, body: (await response.json()) as { error: { code: number; message: string } } };
}

const site = "/v1/orgs/acme/sites/site_handbook";

it.each([
  ["deep arrays", `{"title":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, /nested more than 200 levels deep/],
  ["half of a character in a value", '{"basename":"\\ud800"}', /half of a surrogate pair/],
  ["half of a character in a name", '{"\\ud800":1}', /half of a surrogate pair/],
])("a body with %s is refused, and not stored", async (_, body, message) => {
  expect(await send(site, body)).toMatchObject({
    status: 400,
    body: { error: { code: 400, message: expect.stringMatching(message) } },
  });
  const list = await fetch(`${emulator.url}/v1/orgs/acme/sites`, {
    headers: { authorization: `Bearer ${emulator.token}` },
  });
  expect(list.status).toBe(200);
});

it.each([
  ['{"row":"getSite","status":503,"headers":{"x y":"1"}}', /use names and values that HTTP allows/],
  ['{"row":"getSite","delay":3000000000}', /use 0 to 2147483647/],
])("the fault %s is refused", async (fault, message) => {
  const { status, body } = await send("/_emulator/faults", fault, "POST");
  expect({ status, message: body.error.message }).toEqual({ status: 400, message: expect.stringMatching(message) });
});

it.each([
  [{ version: "1" as never }, 'the version is "1"; use "0.146" or "0.202"'],
  [{ port: 99_999 }, "the port is 99999; use 0 to 65535"],
  [{ latency: -1 }, "the latency is -1; use milliseconds"],
])("it does not start with %j", async (options, message) => {
  await expect(startEmulator(options)).rejects.toThrow(message);
});
