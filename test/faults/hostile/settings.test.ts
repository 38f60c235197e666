import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { failuresIn } from "../../../provider/hosts/plugin/configuration";
import { variables } from "../../../scripts/reference/variables";
import { shortenPauses } from "../../support/fast-timers";
import { serve } from "../../support/http-server";
import { host } from "../../support/provider";
import { holds } from "../cases";
import { faultProgram } from "../programs";
import { Service } from "../service";
import { FaultStack } from "../stack";
import { leaksOf } from "./leaks";

/** Settings with any value: a clear error that names the setting, or a correct continuation. */

shortenPauses(20);

let emulator: Emulator;
let foreign: Service;
let elsewhere: Awaited<ReturnType<typeof serve>>;
beforeAll(async () => {
  emulator = await startEmulator();
  foreign = await Service.start(emulator);
  elsewhere = await serve((response) => response.writeHead(200).end('{"items":[]}'));
});
afterAll(async () => {
  await elsewhere.close();
  await foreign.stop();
  await emulator.close();
});

/** The right address, organization and token, which hostile values contain in part. */
interface Right {
  /** Host and port of the service, and of another server. */
  readonly service: string;
  readonly other: string;
  readonly organization: string;
  /** An organization that nothing names. */
  readonly foreign: string;
  readonly token: string;
}
/** Looks like a token, so no message may contain it. */
const secret = "tok_hostile_7c1e5ab09d24f863";

const texts: readonly ((right: Right) => string)[] = [
  () => "",
  () => "   ",
  () => "\t\n\r",
  () => "\0",
  () => `a\nb\x1b[2J\u009b31m\u202egnp`,
  () => "\ud800",
  () => "x".repeat(200_000),
  () => "0",
  () => "-1",
  () => "1e3",
  () => "3601",
  () => "99999999999999999999",
  () => "NaN",
  () => "null",
  () => "{}",
  () => "[]",
  () => '{"__proto__":{"polluted":true}}',
  () => "__proto__",
  () => "constructor",
  () => "true ",
  () => "TRUE",
  () => "DEBUG",
  () => "2026-02-31T00:00:00Z",
  () => "/dev/null",
  () => "/proc/self/mem",
  () => ".",
  () => "../../etc/passwd",
  () => "file:///etc/passwd",
  () => "javascript:alert(1)",
  ({ other }) => `ftp://${other}/`,
  ({ other }) => `//${other}`,
  ({ other }) => `http:${"\\"}${"\\"}${other}@${other}`,
  ({ other, service }) => `http://${service}@${other}/`,
  ({ other, service }) => `http://${secret}:${secret}@${service}/?to=${other}`,
  ({ service }) => `http://${service}/?o=x`,
  ({ service }) => `http://${service}/#/${secret}`,
  ({ service }) => `http://${service}/v1`,
  ({ service }) => `http://${service}/%2e%2e/..//`,
  ({ service, other }) => `http://${service}//${other}/`,
  ({ other }) => `http://example.test@${other}#${secret}`,
  ({ foreign }) => `../orgs/${foreign}`,
  ({ foreign, organization }) => `${organization}/../${foreign}`,
  ({ foreign }) => `%2e%2e/${foreign}`,
  ({ foreign }) => `..%2F${foreign}`,
  ({ organization }) => `${organization}?x=1`,
  ({ organization }) => `${organization}#x`,
  ({ organization }) => `${organization}/members`,
  ({ organization }) => `${organization}\r\nx-injected: 1`,
  () => "..",
  ({ organization }) => ` ${organization} `,
  ({ token }) => ` ${token}\n`,
  ({ token }) => `${token}\r\nx-injected: 1`,
  () => secret,
  () => `${secret}\u0000${secret}`,
  () => `{"a":"${secret}"`,
  () => `{"org_1":["${secret}"]}`,
  () => `["${secret}"]`,
  () => `ü${secret}`,
];

/** Keys of the configuration, as `pulumi config set` and the arguments of a provider object name them. */
const keys = ["docs:baseUrl", "docs:token", "docs:tokens", "docs:organizationId"] as const;
const names = [...(Object.keys(variables) as (keyof typeof variables)[]), ...keys];
/** Values of other types, which only a provider object may have. */
const otherTypes = fc.constantFrom<unknown>(null, true, 0, -1, 1e300, [], {}, [[secret]], { a: { b: secret } });

const cases = fc.record({
  name: fc.constantFrom(...names),
  text: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...texts) },
    {
      weight: 1,
      arbitrary: fc
        .string({ unit: "binary", maxLength: 12 })
        .filter((value) => !/^[\da-f:.]*$/i.test(value))
        .map((value) => () => value),
    },
  ),
  object: fc.option(fc.record({ name: fc.constantFrom("acme", "a\u202eb"), type: fc.option(otherTypes) })),
  command: fc.constantFrom("refresh", "up", "destroy"),
});

/** Characters that act on a terminal, or turn the text around them. */
const unescaped = /(?!\n)\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;
/** Signs of a mistake in this package. */
const faulty =
  /TypeError|RangeError|Cannot read|is not a function|is not iterable|Maximum call stack|\[object Object\]|ERR_/;
/** Maximum length of a message, which is read in a terminal. */
const longest = 4_000;

/** Expects a readable message that names the setting and contains none of these tokens. */
function expectClear(name: string, message: string, tokens: readonly string[]): void {
  expect(message).not.toMatch(unescaped);
  expect(message).not.toMatch(faulty);
  expect(message.length).toBeLessThan(longest);
  for (const token of tokens) expect(leaksOf(token, message)).toEqual([]);
  const key = name.replace("docs:", "");
  const variable = Object.entries(variables).find(([, text]) => text.includes(`\`docs:${key}\``))?.[0] ?? name;
  expect(message).toMatch(new RegExp(`${name}|${variable}|${key}|provider object|the base URL|organization`, "i"));
}

it("of any value are refused by their name, or followed, and never send a request to another place", async () => {
  let [refused, continued] = [0, 0];
  const counts = () => `, ${refused} refused, ${continued} went on`;
  await holds(
    { title: "hostile settings", cases: { dynamic: 240, plugin: 60 }, lanes: 8, counts },
    fc.asyncProperty(cases, async ({ name, text, object, command }) => {
      const service = await Service.start(emulator);
      const sent = elsewhere.received.length;
      try {
        const value = text({
          service: new URL(service.lying.url).host,
          other: new URL(elsewhere.url).host,
          organization: service.organizationId,
          foreign: foreign.organizationId,
          token: service.token,
        });
        const isVariable = !name.startsWith("docs:");
        const variable = name === "DOCS_TOKEN_" ? `${name}${service.organizationId.toUpperCase()}` : name;
        // Only the plugin has provider objects, whose arguments may have other types.
        const providerObject = host === "plugin" && !isVariable ? object : null;
        const configured = providerObject?.type ?? value;
        let hostile = false;
        const { existing, declared } = faultProgram("Site", "update");
        const stack = new FaultStack(() => {
          const { config, environment, ...options } = service.options(20);
          if (!hostile) return { config, environment, ...options };
          return {
            ...options,
            config: { ...config, ...(!isVariable && { [name]: configured }) } as Record<string, string>,
            // The system ends a variable at a NUL.
            environment: { ...environment, ...(isVariable && { [variable]: value.replaceAll("\0", "") }) },
            ...(providerObject && { name: providerObject.name }),
          };
        }, declared);
        await stack.record(existing);
        service.lying.forget();
        hostile = true;
        const before = foreign.live();
        const run = { refresh: () => stack.refresh(), up: () => stack.up(), destroy: () => stack.destroy() }[command];
        const failure = await run?.().then(
          () => undefined,
          (error: Error) => error,
        );
        expect(foreign.live()).toEqual(before);
        expect(elsewhere.received.length).toBe(sent);
        const isOrganization = name.toLowerCase().replaceAll("_", "").includes("organizationid");
        const expectedIds = [service.organizationId, isOrganization ? value.trim() : ""];
        for (const { path } of service.lying.requests()) {
          const [, id = ""] = /\/v1\/orgs\/([^/]+)/.exec(path) ?? [];
          expect(expectedIds).toContain(decodeURIComponent(id));
        }
        const recorded = JSON.stringify([...stack.recorded]);
        expect(leaksOf(service.token, stack.printed + recorded)).toEqual([]);
        expect(stack.printed).not.toMatch(unescaped);
        expect(Reflect.get({}, "polluted")).toBeUndefined();
        if (!failure) {
          continued++;
          return;
        }
        refused++;
        // An id or an address is shown, so that a mistake is found.
        const concealed = /token/i.test(name) ? [secret, service.token] : [service.token];
        expectClear(name, failure.message, concealed);
      } finally {
        await service.stop();
      }
    }),
  );
});

it("of a provider object are checked without showing a token", async () => {
  const inputs = fc.record({
    key: fc.constantFrom(...keys.map((key) => key.replace("docs:", "")), "tokn", "__proto__", "a\u202e\u001b[2J"),
    value: fc.oneof(otherTypes, fc.constantFrom<unknown>(secret, { acme: secret }, { acme: 5 }, `["${secret}"]`)),
  });
  await holds(
    { title: "arguments of a provider object", cases: 300 },
    fc.property(inputs, ({ key, value }) => {
      const failures = failuresIn(Object.fromEntries([[key, value]]));
      const message = failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n");
      const known = keys.includes(`docs:${key}` as never);
      if (!known) expect(failures).not.toEqual([]);
      // Whatever is not secret may be shown, so that a mistake is found.
      if (/^tok/.test(key)) expect(leaksOf(secret, message)).toEqual([]);
      if (failures.length > 0) expect(message).not.toMatch(faulty);
      expect(message).not.toMatch(unescaped);
    }),
  );
});
