import type { RowName } from "../../../provider/api/endpoints";
import { endpoints } from "../../../provider/api/endpoints";
import { isList } from "../../../provider/api/schema/endpoint";
import { hostile } from "../../review/hostile";
import type { Exchange, Hook, LyingAnswer } from "../../support/lying-service";
import type { FaultOperation } from "../programs";

/** What a service does that means harm, or is broken in a way that looks like it. */
export interface HostileLie {
  readonly name: string;
  /** The operations to which it is told; without them, to all. */
  readonly operations?: readonly FaultOperation[];
  /** `elsewhere` is a server at another origin. */
  readonly hook: (elsewhere: string) => Hook<RowName>;
}

const year = 365 * 24 * 3600 * 1000;

/** The request is forwarded, and the answer is changed. */
const after = (
  name: string,
  change: (answer: LyingAnswer<RowName>, exchange: Exchange<RowName>) => ReturnType<Hook<RowName>>,
): HostileLie => ({ name, hook: () => async (exchange) => change(await exchange.forward(), exchange) });

/** An answer without forwarding. */
const instead = (name: string, answer: ReturnType<Hook<RowName>>): HostileLie => ({ name, hook: () => () => answer });

const redirect = (status: number, to: (elsewhere: string, path: string) => string): HostileLie => ({
  name: `redirect ${status} to ${to("another origin", "/path")}`,
  hook:
    (elsewhere) =>
    ({ request }) => ({ status, headers: { location: to(elsewhere, request.path) } }),
});

/** The answer with another body. A text is sent as it is, because no object that is made into JSON can hold a `__proto__`. */
const changing = (name: string, change: (body: unknown) => unknown): HostileLie =>
  after(name, (answer) =>
    answer.status >= 300 || answer.body === undefined ? answer : { ...answer, body: change(answer.body) },
  );

const dated = (name: string, date: () => string): HostileLie =>
  after(`Date: ${name}`, (answer) => ({ ...answer, headers: { ...answer.headers, date: date() } }));

/** Each text of some properties, replaced. */
function mapped(value: unknown, names: RegExp, text: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, names, text));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    return [name, typeof inner === "string" && names.test(name) ? text(inner) : mapped(inner, names, text)];
  });
  return Object.fromEntries(entries);
}

const listOnly = (name: string, change: (page: { items: unknown[] }, nth: number) => object): HostileLie =>
  after(name, (answer, { row, nth }) => {
    if (!isList(endpoints[row]) || answer.status >= 300) return answer;
    return { ...answer, body: { ...Object(answer.body), ...change(Object(answer.body), nth) } };
  });

const long = (length: number): HostileLie =>
  changing(`a text of ${length} characters`, (body) => mapped(body, names, () => "x".repeat(length)));

const names = /^(title|displayName|label|description|subject|email|basename|language)$/;
const id = /^(id|space|section|defaultTeam)$/;
const ids = [
  "../../../v1/orgs/other/members/user_x",
  "x?role=admin",
  "x#y",
  "x\r\nX-Injected: 1",
  "x\0",
  "%2e%2e%2f",
  "",
  ".",
];

export const lies: readonly HostileLie[] = [
  ...[301, 302, 303, 307, 308].map((status) => redirect(status, (elsewhere, path) => `${elsewhere}${path}`)),
  redirect(307, (_, path) => path),
  redirect(308, () => "/v1/orgs/other/members/user_x"),
  after("endless body", (answer) => ({ ...answer, manner: "endless" })),
  instead("endless error", { status: 403, body: "{", manner: "endless" }),
  after("body without an end", (answer) => ({ ...answer, manner: "stall" })),
  instead("wait of a year", { status: 429, headers: { "retry-after": String(year / 1000) } }),
  instead("503 with a wait of a year", { status: 503, headers: { "retry-after": String(year / 1000) } }),
  changing("deep nesting", () => "[".repeat(200_000)),
  changing(
    "deep value",
    (body) => `{"extra":${"[".repeat(50_000)}${"]".repeat(50_000)},${JSON.stringify(body).slice(1)}`,
  ),
  changing("__proto__", (body) =>
    JSON.stringify(body)
      .replaceAll("{", '{"__proto__":{"polluted":true,"role":"admin"},"constructor":{"prototype":{"polluted":true}},')
      .replaceAll(",}", "}"),
  ),
  changing("items under __proto__", (body) =>
    JSON.stringify(body).replaceAll('"items":', '"__proto__":{"items":[]},"items":'),
  ),
  changing("huge numbers", (body) => JSON.stringify(body).replace(/:\d+/g, ":1e400")),
  changing("null", () => "null"),
  changing("a list", (body) => [body]),
  changing("a text", (body) => JSON.stringify(JSON.stringify(body))),
  // A change that fails in the middle carries the state in a header, and the client of the tests accepts 128 KiB of headers.
  { ...long(1_000_000), operations: ["read"] },
  { ...long(5_000), operations: ["create", "update", "delete"] },
  ...ids.map((text) => changing(`id ${JSON.stringify(text)}`, (body) => mapped(body, id, () => text))),
  changing("ids of objects of another organization", (body) => mapped(body, id, (one) => one.replace(/_.*/, "_x"))),
  ...[...hostile, "\x1b]0;owned\x07\x1b[2J\x1b[1A", "::error::owned\n##[error]owned", "\u009b2J"].map((text) =>
    changing(`names ${JSON.stringify(text)}`, (body) => mapped(body, names, () => text)),
  ),
  dated("years ago", () => new Date(Date.now() - 20 * year).toUTCString()),
  dated("in years", () => new Date(Date.now() + 20 * year).toUTCString()),
  dated("not a date", () => "yesterday"),
  listOnly("pages that loop", () => ({ next: { page: "again" } })),
  listOnly("pages that never end", (_, nth) => ({ next: { page: `page${nth}` } })),
  listOnly("pages that shrink", ({ items }, nth) => ({ items: items.slice(nth), next: { page: `page${nth}` } })),
  listOnly("a page named ../", () => ({ next: { page: "../../../other?x=#\r\n" } })),
  listOnly("everything twice", ({ items }) => ({ items: [...items, ...items], count: items.length })),
  listOnly("other counts", () => ({ count: -1 })),
  instead("errors with names", { status: 400, body: { error: { code: 400, message: hostile.join(" \x1b[31m") } } }),
  {
    name: "errors that repeat the token",
    hook:
      () =>
      ({ request }) => ({
        status: 500,
        body: {
          error: {
            code: 500,
            message: `failed for ${request.headers.authorization} ${encoded(request.headers.authorization)}`,
          },
        },
      }),
  },
];

/** The token in other forms. */
const encoded = (header = ""): string => {
  const token = header.replace(/^Bearer /, "");
  return `${Buffer.from(token).toString("base64")} ${encodeURIComponent(token)} ${Buffer.from(token).toString("hex")}`;
};
