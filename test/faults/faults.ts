import { endpoints, type RowName } from "../../provider/api/endpoints";
import { type Endpoint, isList, methodOf } from "../../provider/api/schema/endpoint";
import { cutConnection, type Hook, type RecordedRequest } from "../support/lying-service";

/** Seconds until an operation fails while a fault is injected. */
export const deadline = 2;

export interface Fault {
  readonly name: string;
  readonly hook: Hook<RowName>;
  /** How often it is injected "until the deadline": the deadline does not cover the waits after a 429. */
  readonly most?: number;
}

const anywhere: readonly Fault[] = [
  {
    name: "429 with Retry-After",
    most: 3,
    hook: () => ({ status: 429, headers: { "retry-after": "1" }, body: errorOf(429, "Too many requests") }),
  },
  { name: "429", most: 3, hook: () => ({ status: 429, body: errorOf(429, "Too many requests") }) },
  { name: "500", hook: () => ({ status: 500, body: errorOf(500, "Internal error") }) },
  {
    name: "502 with HTML",
    hook: () => ({ status: 502, headers: html, body: "<html><body><h1>502 Bad Gateway</h1></body></html>" }),
  },
  { name: "reset before the change", hook: () => cutConnection },
  { name: "reset after the change", hook: ({ forward }) => forward().then(() => cutConnection) },
  {
    name: "slower than the deadline",
    hook: async ({ forward }) => {
      const answer = await forward();
      await late();
      return answer;
    },
  },
  { name: "malformed body", hook: async ({ forward }) => ({ ...(await forward()), body: '{"object": "si' }) },
  { name: "empty 200", hook: () => ({ status: 200 }) },
  {
    name: "wrong content type",
    hook: async ({ forward }) => ({ ...(await forward()), headers: html, body: "<html><body>Sign in</body></html>" }),
  },
];

const withBody: Fault = {
  name: "truncated body",
  hook: async ({ forward }) => ({ ...(await forward()), manner: "cut" }),
};

/** A list that has no such item stays as it is. */
export const withoutItem =
  (index: number): Hook<RowName> =>
  async ({ forward }) => {
    const answer = await forward();
    const { items } = answer.body as unknown as { items: readonly unknown[] };
    return { ...answer, body: { ...Object(answer.body), items: items.filter((_, nth) => nth !== index) } };
  };
const shorterList = (index: number): Fault => ({ name: `list without item ${index}`, hook: withoutItem(index) });

/** The path of the object that a request is about. */
export const objectAt = (path: string): string => path.replace(/\/(publish|unpublish|sso)$/, "");

/** Answers with the object as it is; with nothing if it cannot be read at this path. */
const unchanged = (status: number): Fault => ({
  name: "success that changed nothing",
  hook: async ({ request, forward }) => {
    Object.assign(request, { method: "GET", path: objectAt(request.path), body: undefined });
    const answer = await forward();
    return answer.status < 300 ? { ...answer, status } : { status };
  },
});

export const withExisting: Hook<RowName> = async ({ request, forward }) => {
  Object.assign(request, { method: "GET", body: undefined });
  const { items } = (await forward()).body as unknown as { items: readonly unknown[] };
  return { status: 201, body: items[0] };
};

const notCreated: Fault = { name: "success that created nothing", hook: withExisting };
const notDeleted: Fault = { name: "success that deleted nothing", hook: () => ({ status: 204 }) };

/** The faults that a request for this row can get. */
export function faultsOf(row: RowName): Fault[] {
  const endpoint: Endpoint = endpoints[row];
  const method = methodOf(endpoint);
  const some = [...anywhere, ...(endpoint.reply ? [withBody] : [])];
  if (isList(endpoint)) return [...some, ...[0, 1, 2, 3].map(shorterList)];
  if (method === "GET") return some;
  if (method === "DELETE") return [...some, notDeleted];
  if (endpoint.status === 201) return [...some, notCreated];
  return [...some, unchanged(endpoint.status ?? 200)];
}

/** A request, and which one of those for its row it is. */
export interface Numbered {
  readonly row: RowName;
  readonly nth: number;
}

export function numbered(requests: readonly RecordedRequest[]): Numbered[] {
  const counts = new Map<RowName, number>();
  return requests.flatMap(({ row }) => {
    if (row === undefined) return [];
    const nth = (counts.get(row) ?? 0) + 1;
    counts.set(row, nth);
    return [{ row, nth }];
  });
}

const html = { "content-type": "text/html" };
const errorOf = (code: number, message: string) => ({ error: { code, message } });

/** With the global `setTimeout`, because `shortenPauses` makes that of `timers` shorter. */
const late = () => new Promise((resolve) => setTimeout(resolve, deadline * 1_000 + 200));
