import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlOf, markdownOf, textOf } from "../../../provider/review/render/formats";
import { reviewOfPreview } from "../previews";
import { reviewOfSteps } from "../support";

describe("the Markdown", () => {
  it("begins with a stable marker and the verdict", () => {
    const [marker, verdict] = markdownOf(reviewOfPreview("change")).split("\n");
    expect(marker).toBe("<!-- docs-org review of docs/prod -->");
    expect(markdownOf(reviewOfPreview("guarded")).split("\n")[0]).toBe(marker);
    expect(verdict).toMatch(/^## ⚠️ 17 risks .*: 6 people gain access, 4 /);
  });

  it("separates the places of a person by a sign that no place contains", () => {
    const review = reviewOfSteps(
      { type: "MemberRoles", live: { roles: { user_a: "edit" } }, declared: { roles: { user_a: "admin" } } },
      {
        type: "TeamMembers",
        live: { teamId: "t", members: { user_a: "member" } },
        declared: { teamId: "t", members: { user_a: "owner" } },
      },
    );
    expect(markdownOf(review)).toContain("- 🔴 high: `user_a`: role `edit` → `admin` · team `t` `member` → `owner`\n");
  });

  it("names the severity of each risk in a word beside the sign", () => {
    const lines = markdownOf(reviewOfPreview("change")).split("\n");
    expect(lines.filter((line) => /^- (🔴|🟠)/u.test(line))).toHaveLength(17);
    expect(lines.filter((line) => /^- (🔴 high|🟠 medium): /u.test(line))).toHaveLength(17);
  });

  it("keeps the lines of a refusal", () => {
    expect(markdownOf(reviewOfPreview("guarded"))).toMatch(
      /`Organization acme`\n\n```text\nguards: .*, minAdmins is 2:\n {2}hugo@acme\.test loses the role\n```/,
    );
  });
});

describe("a review that is too long", () => {
  const crowd = fc.record({
    admins: fc.integer({ min: 0, max: 1500 }),
    members: fc.integer({ min: 0, max: 1500 }),
    leaving: fc.integer({ min: 0, max: 1500 }),
    sites: fc.integer({ min: 0, max: 200 }),
    name: fc.constantFrom("p", "a-very-long-name-".repeat(8), "`".repeat(60)),
  });

  it("is cut under 60,000 characters, with the verdict, the gravest risk first, and the right number of cut entries", () => {
    fc.assert(
      fc.property(crowd, ({ admins, members, leaving, sites, name }) => {
        const roles = Object.fromEntries(range(admins).map((i) => [`${name}${i}@acme.test`, "admin"]));
        const people = (count: number, kind: string) =>
          Object.fromEntries(range(count).map((i) => [`${name}-${kind}${i}@acme.test`, "member"]));
        const review = reviewOfSteps(
          { op: "create", type: "MemberRoles", declared: { roles } },
          {
            type: "TeamMembers",
            live: { teamId: "t", members: people(leaving, "out") },
            declared: { teamId: "t", members: people(members, "in") },
          },
          ...range(sites).map((i) => ({ op: "create", type: "Site", name: `${name}${i}`, declared: { title: name } })),
        );
        const markdown = markdownOf(review);
        expect(markdown.length).toBeLessThan(60_000);
        expect(markdown.split("\n")[1]).toMatch(/^## /);
        const sections = [...markdown.matchAll(/^### (\S+) (.*) \(([\d,]+)\)\n\n([\s\S]*?)(?=\n### |$(?![\s\S]))/gm)];
        for (const [, , , total, body] of sections) {
          const shown = (body?.match(/^- (?!… )/gm) ?? []).length;
          const left = Number(/^- … and ([\d,]+) more;/m.exec(body ?? "")?.[1]?.replaceAll(",", "") ?? 0);
          expect(shown + left).toBe(Number(total?.replaceAll(",", "")));
        }
        // The first section that has risks shows the gravest; a section without risks may come before it.
        const [first] = sections.filter(([, , , , body]) => /^- (🔴|🟠)/mu.test(body ?? ""));
        for (const { subject } of review.risks.slice(0, 1)) expect(first?.[4]).toContain(subject);
        expect(/^> Cut to fit: /m.test(markdown)).toBe(/^- … and /m.test(markdown));
      }),
      { numRuns: 4 },
    );
  });
});

describe("a proposal with one dangerous line among thousands", () => {
  const roles = (from: string, late: string) => {
    const small = range(2500).map((i) => [`person-${String(i).padStart(4, "0")}@acme.test`, from] as const);
    return { roles: Object.fromEntries([...small, ["zoe@acme.test", late]]) };
  };
  const review = reviewOfSteps({
    type: "MemberRoles",
    live: roles("read", "read"),
    declared: { ...roles("comment", "create") },
  });

  it("shows it first in every format, counts the others, and is a risk", () => {
    expect(review.risks).toMatchObject([{ kind: "new-creator", severity: "medium", subject: "zoe@acme.test" }]);
    const [markdown, page, text] = [markdownOf(review), htmlOf(review), textOf(review)];
    expect(markdown).toMatch(/Who gains access \(2,501\)\n\n- 🟠 medium: `zoe@acme\.test`: role `read` → `create`\n/);
    expect(markdown).toMatch(/\n- … and [\d,]+ more; --format json/);
    expect(page).toMatch(
      /<ul class="entries">\n<li class="rated"><span class="key changes">medium<\/span> <span><code>zoe@acme\.test<\/code>: role <code>read<\/code> → <code>create/,
    );
    expect(page).toContain("… and 2,001 more; --format json");
    expect(page).toContain("People: … and 1,501 more; --format json");
    expect(page).toMatch(/<tbody>\n<tr data-marked="1"[^>]*><th scope="row"><code>zoe<wbr>@acme\.test/);
    expect(text).toMatch(/Who gains access \(2,501\)\n {2}medium: zoe@acme\.test: role read → create\n/);
    expect(text).toContain("… and 1,501 more; --format json");
  });
});

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
