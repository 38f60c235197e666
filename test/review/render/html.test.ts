import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Access, PersonReview } from "../../../provider/review/model/access";
import type { Review } from "../../../provider/review/model/review";
import { risk } from "../../../provider/review/model/risk";
import { htmlOf } from "../../../provider/review/render/formats";
import { safeText } from "../../../provider/text/safe-text";
import { reviewOfPreview } from "../previews";
import { reviewOfSteps } from "../support";

/** A review of this many people in an organization; every second one gains a role, and the last one is a risk. */
function large(count: number, nameOf = (index: number) => `person-${index}@acme.test`): Review {
  const people = Array.from({ length: count }, (_, index): PersonReview => {
    const [id, name, gains] = [`user_${index}`, nameOf(index), index % 2 === 0];
    const role: Access = {
      place: { kind: "role", organization: "acme" },
      before: "read",
      after: gains ? "edit" : "read",
      effect: gains ? "gains" : "none",
      cause: "declared",
      released: false,
      moved: false,
      from: [],
      to: [],
    };
    return { id, name, userId: id, keys: [name, id], hidden: false, access: [role] };
  });
  const last = people.at(-1);
  const risks = last ? [risk("new-administrator", "high", last.id, safeText`${last.name} becomes one`)] : [];
  return { ...reviewOfPreview("change"), people, risks };
}

describe("the page", () => {
  it("works without loading anything", () => {
    const page = htmlOf(reviewOfPreview("change"));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
    const hash = (text = "") => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${hash(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1])}`);
    expect(policy).toContain(`style-src ${hash(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1])}`);
    expect(page.match(/(?:src|href|action)="(?!data:,|#[a-z-]+")/g)).toBeNull();
    expect(page).not.toMatch(/url\(|@import|fetch\(|XMLHttpRequest/);
  });

  it("has a row for each person and a column for each team, before and after, with symbols", () => {
    const page = htmlOf(reviewOfPreview("change"));
    expect(page).toMatch(/<th scope="col">Role<\/th>.*team_support.*Writers/);
    expect(page).toMatch(/class="gains"[^>]*>▲ <span class="was"><code>edit<\/code><\/span> → <code>admin<\/code>/);
    expect(page).toMatch(/class="loses"[^>]*>▼ <span class="was"><code>owner<\/code><\/span> → <code>member<\/code>/);
    expect(htmlOf(reviewOfPreview("drift"))).toMatch(/<code>review<\/code> <span aria-hidden="true">↺<\/span>/);
  });

  it("stays usable with 1,000 people and hundreds of teams: teams with changes have the columns", () => {
    const teams = Array.from({ length: 300 }, (_, index) => {
      const live = { teamId: `team_${index}`, members: { [`user_${index}`]: "member", user_all: "owner" } };
      const declared = index === 250 ? { ...live, members: { user_all: "owner" } } : live;
      return { type: "TeamMembers", name: `t${index}`, live, declared };
    });
    const page = htmlOf(reviewOfSteps(...teams));
    expect(page).toMatch(/<th scope="col"><code>team_250<\/code><\/th>/);
    expect(page.match(/<th scope="col">/g)?.length).toBeLessThan(40);
  });

  describe("has a limited size", () => {
    const rows = (page: string) => page.split("<tr data-marked=").length - 1;

    it("with 20,000 people: risks and changes come first, and the number of hidden people is shown", () => {
      const page = htmlOf(large(20_000));
      expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
      expect(rows(page)).toBe(1000);
      expect(page).toContain("People: … and 19,000 more; --format json shows everything; those with a risk come first");
      expect(page).toContain('Who gains access <span class="count">(10,000)</span>');
      expect(page).toContain("… and 9,500 more; --format json ");
      const shown = [...page.matchAll(/<th scope="row"><code title="user_\d+">person-(\d+)<wbr>@/g)].map(([, nth]) =>
        Number(nth),
      );
      expect(shown[0]).toBe(19_999);
      expect(shown.slice(1, 4)).toEqual([0, 2, 4]);
    });

    it("with names of any length", () => {
      const page = htmlOf(large(3000, (index) => `${"界".repeat(5000)}${index}@acme.test`));
      expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
      expect(rows(page)).toBeGreaterThan(10);
    });

    it("and shows all of 1,000 people", () => {
      const page = htmlOf(large(1000));
      expect(rows(page)).toBe(1000);
      expect(page).not.toContain("People: …");
    });

    it("with a refusal that names many people", () => {
      const text = Array.from({ length: 100_000 }, (_, index) => `person-${index}@acme.test is not a member`).join(
        "\n",
      );
      const page = htmlOf({ ...large(1), refusals: [{ text }] });
      expect(Buffer.byteLength(page)).toBeLessThan(5_000_000);
      expect(page).toContain("… and 99,000 more;");
    });
  });
});
