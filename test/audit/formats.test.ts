import { describe, expect, it } from "vitest";
import { auditFormats } from "../../provider/audit/formats";
import { audited, exported, liveWith, person, provider, site } from "./support";

const { markdown: markdownOf, html: htmlOf } = auditFormats;

const partly = () =>
  audited(
    liveWith(
      [person("ada", "admin"), person("bea"), person("lena", null)],
      { team_a: { ada: "owner", bea: "member" } },
      { sites: [site("s1"), site("s2", "unlisted")], saml: [provider("p1")] },
    ),
    exported("prod", { type: "MemberRole", inputs: { user: "bea" } }, { type: "Site", id: "s2" }),
  );

describe("the Markdown", () => {
  it("begins with a marker and the verdict, followed by the coverage and the unmanaged objects by kind", () => {
    const text = markdownOf(partly());
    expect(text).toHaveWording("an audit that finds one object of each kind");
    expect([...text.matchAll(/^### \S+ (\w+).* \((\d)\)$/gm)].map(([, kind, count]) => `${kind} ${count}`)).toEqual([
      "Coverage 5",
      "Administrators 1",
      "Owners 1",
      "Members 1",
      "SAML 1",
      "Public 1",
    ]);
  });

  it("names its limits", () => {
    const live = liveWith([person("ada"), person("shy", "read", "")]);
    const secret = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
    const text = markdownOf(
      audited(
        live,
        exported("empty"),
        exported(
          "prod",
          { type: "MemberRoles", inputs: { roles: { ada: "read", "shy@acme.test": "read" } } },
          { type: "MemberRole", inputs: { user: secret } },
          { type: "TeamMembership", inputs: { teamId: "t", user: "soon@acme.test" }, outputs: { pending: true } },
          { type: "Site", outputs: { organizationId: "globex" } },
        ),
      ),
    );
    expect(text.split("\n")[3]).toHaveWording("the limits of an audit");
    expect(markdownOf(audited(live, exported("prod")))).not.toContain("hidden e-mail");
  });

  it("says that everything is declared only if it is", () => {
    const live = liveWith([person("ada", "admin")]);
    const all = audited(live, exported("prod", { type: "MemberRole", inputs: { user: "ada" } }));
    expect(markdownOf(all)).toMatch(/^.*\n## ✅ Everything is declared: 1 person/);
    expect(markdownOf(audited(liveWith([]), exported("prod")))).toMatch(/^.*\n## ✅ There is nothing to declare/);
  });

  it("stays under 60,000 characters, the most important first, and counts the cut entries", () => {
    const people = Array.from({ length: 5000 }, (_, index) => person(`user_${index}`, index % 500 ? "read" : "admin"));
    const stacks = Array.from({ length: 60 }, (_, index) => exported(`${"s".repeat(100)}${index}`));
    const live = liveWith(people, { team_a: Object.fromEntries(people.map(({ id }) => [id, "member"])) });
    const text = markdownOf(audited(live, ...stacks));
    expect(text.length).toBeLessThan(60_000);
    expect(text.match(/- 🔴 high: /g)).toHaveLength(10);
    const listedAndCut = (title: string) => {
      const [section = ""] = text.split(`### ● ${title}`)[1]?.split("\n### ") ?? [];
      const listed = section.match(/^- `|^- team/gm) ?? [];
      const [, cut = "0"] = /and ([\d,]+) more/.exec(section) ?? [];
      return listed.length + Number(cut.replace(",", ""));
    };
    expect(listedAndCut("Other people with a role that no stack manages (4,990)")).toBe(4990);
    expect(listedAndCut("Members of teams that no stack manages (5,000)")).toBe(5000);
    expect(text).toContain("> Cut to fit: ");
  });
});

describe("the page", () => {
  it("has verdict, coverage and all unmanaged objects", () => {
    const page = htmlOf(partly());
    expect(page).toMatch(/<header class="risky">[\s\S]*<h1>.* No stack manages 1 person with a role/);
    expect(page).not.toContain("<script");
    expect(page).toContain("script-src 'none'");
    expect(page).toContain("<li>people with a role: 1 of 2 declared, 50 %</li>");
    expect(page).toContain("<code>ada@acme.test</code> (<code>ada</code>): <code>admin</code>");
    for (const id of ["administrators", "owners", "members", "public-sites"])
      expect(page).toContain(`<section id="${id}"`);
  });
});
