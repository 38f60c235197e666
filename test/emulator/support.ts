import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, type Seed, startEmulator } from "../../provider/emulator";

/** Tests use plain HTTP, so that a mistake that emulator and client share is found. */

export interface EmulatedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the emulator answered, for assertions about it
  readonly body: any;
}

export interface Emulated extends Emulator {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<EmulatedAnswer>;
}

/** An emulator of its own for the running test. */
export async function startEmulated(options: EmulatorOptions = {}): Promise<Emulated> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  const call: Emulated["call"] = (method, path, body, headers = {}) => {
    const sent = { authorization: `Bearer ${emulator.token}`, ...headers };
    return answerOf(emulator.url + path, method, body, sent);
  };
  return Object.assign(emulator, { call });
}

async function answerOf(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<EmulatedAnswer> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type: Record<string, string> = text === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch(url, {
    method,
    headers: { ...type, ...headers },
    ...(text !== undefined && { body: text }),
  });
  const answered = await response.text();
  return { status: response.status, headers: response.headers, text: answered, body: parsed(answered) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const sites = "/v1/orgs/acme/sites";

/** One organization with two spaces, and the sites that a test wants. */
export function seedWithSites(...wanted: NonNullable<Seed["organizations"][string]["sites"]>): Seed {
  const pages = [{ title: "Welcome", markdown: "Start here." }];
  const spaces = [
    { id: "guides", title: "Guides", pages },
    { id: "reference", title: "API reference", pages: [{ title: "Errors" }] },
  ];
  return { organizations: { acme: { spaces, sites: wanted } } };
}

/** That many sites, `site_1` and so on. */
export const manySites = (count: number) =>
  seedWithSites(
    ...Array.from({ length: count }, (_, index) => ({ id: `site_${index + 1}`, title: `Site ${index + 1}` })),
  );

/** A site whose AI response about releases is longer than what fits into the buffers between server and client. */
export function longAnswerSeed(): Seed {
  const pages = Array.from({ length: 2000 }, (_, index) => ({ title: `Release ${index} ${"x".repeat(4000)}` }));
  const acme = { spaces: [{ id: "guides", title: "Guides", pages }], sites: [{ id: "site_1", spaces: ["guides"] }] };
  return { organizations: { acme } };
}

/** Events of a stream that was read to its end. */
export function eventsIn(text: string): { type: string; [property: string]: unknown }[] {
  const messages = text.split("\n\n").filter((message) => message !== "");
  return messages.map((message) => JSON.parse(message.replace(/^data: /, "")));
}

export const idOfItem = (item: { id: string }) => item.id;
