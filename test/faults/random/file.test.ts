import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../../provider/emulator";
import { shortenPauses } from "../../support/fast-timers";
import { holds } from "../cases";
import { CommandFailed } from "../stack";
import { Attempt } from "./attempt";
import { declarationFor, seeds } from "./organizations";

shortenPauses(20);

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** What somebody types by mistake, or to get past the reader. */
const pieces = fc.oneof(
  fc.constantFrom(":", "-", "\t", " ", "  ", "\n", "\0", "\x1b[2J", "\u202e", "\ufeff", "'", '"', "|", ">", "{", "}"),
  fc.constantFrom(
    "[",
    "]",
    ",",
    "?",
    "#",
    "&a ",
    "*a",
    "<<: *a",
    "!!js/function 'x'",
    "!!binary aGk=",
    "!include x.yaml",
  ),
  fc.constantFrom("!include ../../../etc/passwd", "__proto__: {}", "constructor: 1", "%TAG ! x", "---\n", "...\n"),
  fc.constantFrom("null", "~", "[]", "{}", "-1", "1e999", "0x1f", ".nan", "true", "2026-02-31", "\ud83d\ude42"),
  fc.constantFrom(
    "admin",
    "owner",
    "guest",
    "remove",
    "onRelease: remove",
    "maxRemovals: 0",
    "user_p0",
    "p1@acme.test",
  ),
  fc.constantFrom("[".repeat(2_000), "a: ".repeat(200), "x".repeat(70_000), "- - - - - -", "? ? ? ?"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const at = fc.nat(9_999).map((part) => part / 10_000);
const edit = fc.oneof(
  // Values that may be right at their place.
  fc.record({
    kind: fc.constantFrom("value", "drop line", "drop lines"),
    piece: fc.constantFrom("admin", "read", "owner", "member", "true", "remove", "leave", '"2026-11-30"', "A title"),
    at,
  }),
  fc.record({ kind: fc.constantFrom("insert", "replace", "value"), piece: pieces, at }),
  fc.record({
    kind: fc.constantFrom("drop line", "repeat line", "swap lines", "indent", "drop", "cut"),
    piece: fc.constant(""),
    at,
  }),
);
type Edit = typeof edit extends fc.Arbitrary<infer One> ? One : never;

function edited(text: string, { kind, piece, at }: Edit): string {
  const offset = Math.floor(at * text.length);
  if (kind === "insert") return text.slice(0, offset) + piece + text.slice(offset);
  if (kind === "replace") return text.slice(0, offset) + piece + text.slice(offset + Math.max(1, piece.length));
  if (kind === "drop") return text.slice(0, offset) + text.slice(offset + 3);
  if (kind === "cut") return text.slice(0, offset);
  const lines = text.split("\n");
  const line = Math.floor(at * (lines.length - 1));
  const [one = "", next = ""] = lines.slice(line);
  if (kind === "drop lines") lines.splice(line, 4);
  if (kind === "drop line") lines.splice(line, 1);
  if (kind === "repeat line") lines.splice(line, 0, one);
  if (kind === "swap lines") lines.splice(line, 2, next, one);
  if (kind === "indent") lines[line] = at > 0.5 ? `  ${one}` : one.replace(/^ {2}/, "");
  if (kind === "value") lines[line] = one.replace(/(?<=: ).*|$/, piece);
  return lines.join("\n");
}

const cases = seeds.chain((one) =>
  fc.record({
    seed: fc.constant(one),
    file: declarationFor(one, "acme"),
    edits: fc.array(edit, { minLength: 1, maxLength: 2 }),
    // Bytes that are no text.
    broken: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }) },
    ),
  }),
);

it("that is edited at random is refused without a request, or brought about", async () => {
  let [refused, applied] = [0, 0];
  const counts = () => `, ${refused} refused, ${applied} applied`;
  await holds(
    { title: "random edits of organization.yaml", cases: { dynamic: 250, plugin: 60 }, lanes: 2, counts },
    fc.asyncProperty(cases, async ({ seed, file, edits, broken }) => {
      const attempt = await Attempt.start(emulator, seed);
      try {
        const text = Buffer.from(edits.reduce(edited, attempt.textOf(file)));
        const bytes = broken
          ? Buffer.concat([text.subarray(0, text.length / 2), broken, text.subarray(text.length / 2)])
          : text;
        const start = process.cpuUsage();
        const refusal = await attempt.refusal(bytes);
        // Microseconds.
        expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
        if (refusal !== undefined) {
          refused++;
          expect(attempt.service.lying.writes()).toEqual([]);
          // Terminals take control characters for commands.
          expect(refusal).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
          return;
        }
        applied++;
        const failure = await attempt.stack.up().catch((error: unknown) => error);
        if (failure === undefined) {
          expect(await attempt.stack.preview()).toEqual([]);
        } else {
          // A file without a mistake may declare what the service refuses, such as an unknown language.
          expect(failure).toBeInstanceOf(CommandFailed);
          expect(String(failure)).toMatch(/could not |has no|hide their e-mail/);
        }
      } finally {
        await attempt.stop();
      }
    }),
  );
});
