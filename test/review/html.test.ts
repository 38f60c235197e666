import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { htmlOf } from "../../provider/review/html";
import { hostile } from "./hostile";
import { reviewOfFixture, reviewOfSteps } from "./support";

const tags = (page: string): string[] => [...page.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, name = ""]) => name);

describe("the page", () => {
  it("runs and loads nothing but what is in it", () => {
    const page = htmlOf(reviewOfFixture("change"));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
    const hash = (text = "") => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`script-src ${hash(/<script>([\s\S]*?)<\/script>/.exec(page)?.[1])}`);
    expect(policy).toContain(`style-src ${hash(/<style>([\s\S]*?)<\/style>/.exec(page)?.[1])}`);
    expect(page.match(/(?:src|href|action)="(?!data:,|#[a-z-]+")/g)).toBeNull();
    expect(page).not.toMatch(/url\(|@import|fetch\(|XMLHttpRequest/);
  });

  it("has a row for each person and a column for each team, before and after, with symbols", () => {
    const page = htmlOf(reviewOfFixture("change"));
    expect(page).toMatch(/<th scope="col">Role<\/th>.*team_support.*Writers/);
    expect(page).toMatch(/class="gains"[^>]*>▲ <span class="was"><code>edit<\/code><\/span> → <code>admin<\/code>/);
    expect(page).toMatch(/class="loses"[^>]*>▼ <span class="was"><code>owner<\/code><\/span> → <code>member<\/code>/);
    expect(htmlOf(reviewOfFixture("drift"))).toMatch(/<code>review<\/code> <span aria-hidden="true">↺<\/span>/);
  });

  it.each(hostile)("shows %j as text only", (value) => {
    const steps = (name: string) => [
      { op: "create", type: "Site", name, declared: { title: name, visibility: name } },
      { op: "create", type: "MemberRole", name, declared: { user: name, role: name } },
      { op: "create", type: "TeamMembers", name, declared: { teamId: name, members: { [name]: "member" } } },
    ];
    const page = htmlOf(reviewOfSteps(...steps(value)));
    expect(tags(page)).toEqual(tags(htmlOf(reviewOfSteps(...steps("harmless")))));
    expect(page.replace(/\n/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  });

  it("stays usable with 1,000 people and hundreds of teams: the columns are those in which something changes", () => {
    const teams = Array.from({ length: 300 }, (_, index) => {
      const live = { teamId: `team_${index}`, members: { [`user_${index}`]: "member", user_all: "owner" } };
      const declared = index === 250 ? { ...live, members: { user_all: "owner" } } : live;
      return { type: "TeamMembers", name: `t${index}`, live, declared };
    });
    const page = htmlOf(reviewOfSteps(...teams));
    expect(page).toMatch(/<th scope="col"><code>team_250<\/code><\/th>/);
    expect(page.match(/<th scope="col">/g)?.length).toBeLessThan(40);
    expect(page).toContain("Other teams");
  });
});
