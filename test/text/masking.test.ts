import type { ServerResponse } from "node:http";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { createClient } from "../../provider/api/client";
import { cut, forgetTokens, hideToken, masked, maskedOpening, withoutPassword } from "../../provider/text/masking";
import { json, serve } from "../support/http-server";

/** A service that repeats the Authorization header wherever it can: nothing of the token gets out. */

const token = "TOKENLEAKCANARY1234/+xyZ";
const at = { organizationId: "org_1", siteId: "site_1" };
/** The forms in which it may be repeated. */
const forms: Readonly<Record<string, string>> = {
  plain: token,
  percent: encodeURIComponent(token),
  "percent of every character": [...token].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(""),
  "lower case": token.toLowerCase(),
  hexadecimal: Buffer.from(token).toString("hex"),
  "hexadecimal in upper case": Buffer.from(token).toString("hex").toUpperCase(),
  "JSON, every character": [...token].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join(""),
  "escaped slashes": token.replaceAll("/", "\\/"),
  base64: Buffer.from(token).toString("base64"),
  "base64 after one byte": Buffer.from(`:${token}:`).toString("base64"),
  "base64 after two bytes": Buffer.from(`u:${token}`).toString("base64"),
  base64url: Buffer.from(token).toString("base64url"),
};

/** Without what is invisible, the text has no piece of 6 characters of the form. `where` begins with the name of the form. */
function expectNothingOf(form: string, text: string, where: string): void {
  const seen = text.replace(/[\s\p{C}\p{DI}]|\\u200b|\\[rn]/gu, "");
  const whole = form.replace(/[\s\p{C}]/gu, "");
  // The ends of base64 depend on what stands around the token.
  const inner = /base64/.test(where) ? whole.slice(4, -4) : whole;
  for (let from = 0; from + 6 <= inner.length; from++) {
    const piece = inner.slice(from, from + 6);
    if (seen.includes(piece)) throw new Error(`${where}: "${piece}" is in ${text}`);
  }
}

async function failing(answer: (response: ServerResponse, nth: number) => void) {
  const server = await serve((response, _, nth) => answer(response, nth));
  const client = createClient({ baseUrl: server.url, token, deadline: 5_000 });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  const said = (error: unknown) => {
    const { message, stack, cause } = error as Error;
    return `${message} ${stack} ${JSON.stringify(error)} ${String(cause)}`;
  };
  const caught = async (call: PromiseLike<unknown>) => said(await Promise.resolve(call).catch((error) => error));
  return { client, caught };
}

beforeEach(forgetTokens);

const filler = (length: number) => "- ".repeat(length / 2) + "-".repeat(length % 2);

it.each(Object.entries(forms))("%s: the token is hidden at every place of a shortened text", (name, form) => {
  hideToken(token);
  for (let offset = 0; offset <= 120; offset++) {
    const text = `${filler(offset)}${form} and more`;
    expectNothingOf(form, cut(text, 80), `${name} at ${offset}`);
    expectNothingOf(form, masked(text), `${name} at ${offset}`);
  }
  // Around the last of the characters that `opening` masks.
  const step = Number(process.env.MASKING_STEP ?? 1);
  for (let offset = 8_192 - 90; offset <= 8_192; offset += step) {
    const text = `${filler(offset)}${form}${form}`;
    expectNothingOf(form, maskedOpening(text).slice(-200), `${name} at ${offset}`);
  }
});

it.each([0, 1, 2])("base64url with - and _ in every piece is hidden after %i bytes", (shift) => {
  const signs = "k~?>".repeat(8);
  hideToken(signs);
  const url = Buffer.from(`${":".repeat(shift)}${signs}`).toString("base64url");
  expect(url).toMatch(/-.*_/);
  expectNothingOf(url, masked(`see ${url}`), "base64url");
});

it.each(Object.entries(forms))(
  "%s: in error bodies, pages of gateways and text that is not JSON",
  async (name, form) => {
    // Some are shortly before the places where a text is cut.
    const offsets = [0, 60, 66, 72, 78, 150, 180, 190, 196, 480, 490, 496];
    const bodies = offsets.flatMap((offset) => {
      const text = `${filler(offset)}Authorization: Bearer ${form}`;
      return [
        { status: 400, body: JSON.stringify({ error: { code: 400, message: text } }) },
        { status: 400, body: JSON.stringify({ detail: text }) },
        { status: 403, body: `<html><body><h1>403</h1><pre>${text}</pre></body></html>` },
        { status: 200, body: `<html><body>${text}</body></html>` },
      ];
    });
    const { client, caught } = await failing((response, nth) => {
      const { status, body } = bodies[nth - 1] ?? { status: 500, body: "" };
      response.writeHead(status).end(body);
    });
    for (const [index, { status }] of bodies.entries()) {
      const text = await caught(client.getSite(at));
      expect(text).toContain("could not read site site_1");
      expectNothingOf(form, text, `${name}, ${status}, body ${index}`);
    }
  },
);

it.each(Object.entries(forms))("%s: in wrongly typed properties, ids, pages and streams", async (name, form) => {
  const echo = `${filler(40)}${form}`;
  const site = { object: "site", id: "site_1", type: "basic", title: "T", visibility: "public", published: false };
  const whole = { ...site, siteSpaces: 0, createdAt: "2026-01-01T00:00:00Z" };
  const { client, caught } = await failing((response, nth) => {
    if (nth === 1) json(response, 200, { ...whole, published: echo });
    if (nth === 2) json(response, 200, { ...whole, published: { header: form } });
    if (nth === 3) json(response, 200, { ...whole, id: form });
    if (nth === 4) json(response, 200, { items: form });
    if (nth === 5 || nth === 6) json(response, 200, { items: [], next: { page: form } });
    if (nth === 7) response.end(`event: error\ndata: ${JSON.stringify({ error: { message: echo } })}\n\n`);
    if (nth === 8) response.end(`data: ${filler(68)}${JSON.stringify(form).slice(1, -1)}\n\n`);
    if (nth === 9) response.writeHead(302, { location: `https://other.test/${encodeURIComponent(form)}` }).end();
  });
  const list = { organizationId: "org_1" };
  const ask = { ...at, body: { input: [{ role: "user" as const, content: "Where?" }] } };
  const event = () => client.streamAiResponse(ask)[Symbol.asyncIterator]().next();
  const calls = [
    () => client.getSite(at),
    () => client.getSite(at),
    () => client.getSite(at),
    () => client.listSites(list),
    () => client.listSites(list).all(),
    event,
    event,
    () => client.getSite(at),
  ];
  for (const [index, call] of calls.entries()) {
    const text = await caught(call());
    expect(text).toContain("could not ");
    expectNothingOf(form, text, `${name}, call ${index + 1}`);
  }
});

it.each([0, 1, 2])("base64 of a short token is hidden between %i bytes and any number of others", (before) => {
  const short = "s3cr?tpw";
  hideToken(short);
  for (const after of [0, 1, 2]) {
    const text = Buffer.from(`${"-".repeat(before)}${short}${"-".repeat(after)}`).toString("base64");
    expect(masked(text)).toMatch(/^.{0,3}\[token\].{0,6}$/);
  }
  if (before === 1) expect(masked(Buffer.from(`-${short}`).toString("base64"))).toMatch(/^..\[token\]$/);
});

it("a token of four characters is hidden as it is and in hexadecimal digits, and not in base64, which occurs by chance", () => {
  hideToken("abcd");
  expect(masked("abcd, 61626364, YWJjZA==")).toBe("[token], [token], YWJjZA==");
});

it("of a token that is too long to be sent, only the beginning is hidden", () => {
  const long = Array.from({ length: 2_000 }, (_, index) => String(10_000 + index)).join("");
  hideToken(long);
  expect([masked(long.slice(7_990, 8_000)), masked(long.slice(8_000, 8_010))]).toEqual(["[token]", "1160011601"]);
});

it("a text is cut before half a character, and only if it is too long", () => {
  expect(["abc", "abcd", "🙂bc🙂"].map((text) => cut(text, 4, "."))).toEqual(["abc", "abcd", "🙂b."]);
  expect([cut("🙂a🙂", 4), cut("abcde", 4, ".")]).toEqual(["🙂a", "abc."]);
  expect([8_192, 8_193].map((length) => maskedOpening("x".repeat(length)).length)).toEqual([8_192, 7_892]);
});

it("a token of one character hides no numbers", () => {
  // Its code is 116, in hexadecimal 74.
  hideToken("t");
  expect(masked("116 sites, 0x74")).toBe("116 sites, 0x74");
});

it("other texts stay unchanged, and so do short pieces, which some services show on purpose", () => {
  hideToken(token);
  for (const text of ["", "nothing of it", "token TOKENLEAK...", "Ünïcödé 🙂 \u200b"]) expect(masked(text)).toBe(text);
  expect(masked(`a ${token}, b`)).toBe("a [token], b");
});

it.each([
  ["postgres://me:p/w@db/s", "postgres://me@db/s"],
  ["postgres://me:p@w?x@db/s?sslmode=require", "postgres://me@db/s?sslmode=require"],
  ["postgres://db/s?user=me&password=secret&sslPassword=x", "postgres://db/s?user=me"],
  ["postgres://db/s?pass%77ord=secret", "postgres://db/s"],
  ["azblob://states?sig=secret&storage_account=a", "azblob://states?storage_account=a"],
  ["https://TOKEN@host/a?access_token=x", "https://host/a"],
  ["https://me:TOKEN@host", "https://host"],
  ["postgres://db/s?application_name=a?b&password=x", "postgres://db/s?application_name=a?b"],
  ...[
    "s3://bucket/a@b?region=eu&profile=ops",
    "postgres://me@db:5432/s?passfile=/p&sslkey=/k",
    "file:///a:b@c",
    "file://a:b@c",
    "~/a://me:b@c",
    "~",
  ].map((same) => [same, same]),
])("the address of a backend without what is secret: %s", (url, bare) => {
  expect(withoutPassword(url as string)).toBe(bare);
});
