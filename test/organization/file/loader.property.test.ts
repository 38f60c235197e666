import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { stringify } from "yaml";
import { checkOrganization } from "../../../provider/organization/file/check";
import { loadOrganization } from "../../../provider/organization/file/loader";
import { patternMistake } from "../../../provider/people/patterns";
import { userName } from "../../../provider/resources/shared/common";
import { certificateOne } from "../../support/certificates";

const folder = mkdtempSync(join(tmpdir(), "organization-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "organization.yaml");

const now = new Date("2026-12-01");
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** Texts that YAML could take for something else are among them; characters that no file may have are not. */
const text = (least: number, most: number) =>
  fc
    .oneof(
      fc.string({ unit: "grapheme", minLength: least, maxLength: most }),
      fc.constantFrom("true", "12", "~", "- a", "# b", " c: d ", "*e", "2027-01-31"),
    )
    .filter(
      (found) => found.length >= least && found.length <= most && !/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u.test(found),
    );
const odd = fc.constantFrom("123", "0123", "0x1F", "true", "null", "on", "no", "~", "-", "1e3", ".inf", "=");
const user = fc
  .oneof(odd, fc.emailAddress(), fc.string({ minLength: 1, maxLength: 20 }))
  .filter((name) => userName.safeParse(name).success && !["__proto__", "<<"].includes(name));
const name = fc.oneof(
  fc.constantFrom("123", "on", "1e3", "yes"),
  fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,9}$/),
);
const day = fc
  .date({ min: new Date("2027-01-01"), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const role = fc.constantFrom("admin", "create", "review", "edit", "comment", "read", "guest");
const teamRole = fc.constantFrom("owner", "member");

function grantOf(held: fc.Arbitrary<string>, then: fc.Arbitrary<string>) {
  const expires = fc.record({ on: day, then });
  return fc.oneof(held, fc.record({ role: held, reason: text(1, 40), expires }, { requiredKeys: ["role"] }));
}

/** Maps without two spellings of one key. */
const mapOf = <T>(keys: fc.Arbitrary<string>, value: fc.Arbitrary<T>) =>
  fc
    .uniqueArray(fc.tuple(keys, value), { selector: ([key]) => key.toLowerCase(), maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));

const model = fc.record(
  {
    organization: text(1, 20),
    guards: fc.record({
      maxRemovals: fc.oneof(
        fc.nat(),
        fc.integer({ min: 1, max: 100 }).map((share) => `${share}%`),
      ),
    }),
    onRelease: fc.constantFrom("leave", "restore", "guest", "remove"),
    members: mapOf(user, grantOf(role, fc.oneof(role, fc.constantFrom("restore", "remove")))),
    teams: mapOf(
      name,
      fc.record(
        {
          title: text(1, 64),
          members: mapOf(user, grantOf(teamRole, fc.oneof(teamRole, fc.constant("remove")))),
          // No member has an e-mail with this end, so a pattern ignores nobody.
          ignore: fc.array(
            text(1, 20)
              .map((pattern) => `a${pattern}@ignored.example`)
              .filter((pattern) => patternMistake(pattern) === undefined),
            { maxLength: 3 },
          ),
          allowNoOwner: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
    saml: mapOf(
      name,
      fc.record({ label: text(1, 30), certificate: fc.constant(certificateOne) }, { requiredKeys: ["label"] }),
    ),
    sites: mapOf(
      name,
      fc.record(
        {
          title: text(2, 100),
          published: fc.boolean(),
          proxy: fc.constantFrom(null, "www.acme.test/docs"),
          order: fc.constant<string[]>([]),
        },
        { requiredKeys: [] },
      ),
    ),
    translations: mapOf(
      name,
      fc.record({
        source: fc.record({ space: text(1, 9), language: text(1, 16) }),
        language: text(1, 16),
        instructions: optional(text(0, 90)).map((found) => found ?? ""),
      }),
    ),
  },
  { requiredKeys: ["organization"] },
);

/** A key as YAML may write it. */
const formsOf = (key: string) => [key, JSON.stringify(key), `'${key.replaceAll("'", "''")}'`];

function pathsOf(value: unknown, above: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return keys.flatMap((key) => [[...above, key], ...pathsOf(Reflect.get(value, key), [...above, key])]);
}

test("every valid organization survives being written and read, and each key is at its place", () => {
  fc.assert(
    fc.property(model, fc.boolean(), (organization, flow) => {
      expect(checkOrganization(organization, { now })).toEqual(organization);
      const written = stringify(organization, { collectionStyle: flow ? "flow" : "any", aliasDuplicateObjects: false });
      writeFileSync(file, written);
      const { organization: read, places } = loadOrganization(file, { now });
      expect(read).toEqual(organization);
      const lines = readFileSync(file, "utf8").split("\n");
      const misplaced = pathsOf(organization).filter((path) => {
        const { line = 0, column = 0 } = places.of(path) ?? {};
        const found = lines[line - 1]?.slice(column - 1) ?? "";
        const key = path.at(-1);
        return typeof key === "string" ? !formsOf(key).some((form) => found.startsWith(form)) : found === "";
      });
      expect(misplaced).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 60_000);
