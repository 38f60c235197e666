import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { accessFormats } from "../../../provider/access-report/formats";
import type { PersonAccess } from "../../../provider/access-report/report";
import type { Review } from "../../../provider/review/model/review";
import { htmlOf } from "../../../provider/review/render/formats";
import { findBrowser } from "../../../scripts/browser";
import { isCi } from "../../../scripts/ci";
import { type Opened, PageViewer } from "../../support/browser";
import { type Contrast, contrasts, cutElements, type Focus, focus } from "../../support/in-page";
import { hostile } from "../hostile";
import { reviewOfPreview } from "../previews";
import { reviewOfSteps } from "../support";

const executable = findBrowser();
let viewer: PageViewer;

/** Many teams, of which only some have a column, and long titles. */
const wide = (): Review => {
  const people = Array.from({ length: 40 }, (_, index) => `person.with.a.long.name${index}@acme.test`);
  const teams = Array.from({ length: 34 }, (_, team) => {
    const members = people.filter((_, index) => (index + team) % 3 === 0).map((user) => [user, "member"] as const);
    const live = { teamId: `team_${team}`, members: Object.fromEntries(members) };
    const declared = { ...live, members: { ...live.members, [people[team] ?? ""]: "owner" } };
    return { type: "TeamMembers", name: `t${team}`, live, declared };
  });
  const titles = teams.map((_, team) => [`team_${team}`, `Writers of the guides for partners, part ${team}`]);
  return { ...reviewOfSteps(...teams), teams: Object.fromEntries(titles) };
};

const reviews: Record<string, () => Review> = {
  change: () => reviewOfPreview("change"),
  drift: () => reviewOfPreview("drift"),
  guarded: () => reviewOfPreview("guarded"),
  wide,
};

/** An access list, whose page has the same table, and its evidence. */
const accessPage = (): string => {
  const declared = { level: "admin", at: "organization.yaml:4", phase: "running", reason: "x".repeat(300) } as const;
  const team = { id: "t", title: "Writers of the guides for partners" };
  const people = Array.from({ length: 40 }, (_, index): PersonAccess => {
    const role = { level: index < 3 ? "admin" : "read", ...(index % 2 === 0 && { declared }) };
    const more = index % 3 === 0 ? { teams: [{ team, level: "owner" }], sso: true } : { teams: [] };
    return {
      userId: `user_${index}`,
      name: `person.with.a.long.name${index}@acme.test`,
      state: "active",
      role,
      ...more,
    };
  });
  const findings = [{ condition: "undeclared-admin", people: ["user_1"] }];
  const list = {
    version: 1,
    organization: "acme",
    asOf: "",
    file: "organization.yaml",
    filters: [],
    findings,
    people,
  } as const;
  return accessFormats.html(list, { createdAt: "2026-11-26T09:00:00.000Z", version: "1.2.3", commit: "0".repeat(40) });
};

const pages: Record<string, () => string> = {
  ...Object.fromEntries(Object.entries(reviews).map(([name, review]) => [name, () => htmlOf(review())])),
  access: accessPage,
};

describe.skipIf(executable === undefined && !isCi())("the page in a browser", { timeout: 60_000 }, () => {
  beforeAll(async () => {
    viewer = await PageViewer.start(executable);
  }, 60_000);
  afterEach(() => viewer?.clear());
  afterAll(() => viewer?.close());

  const open = (name: string, options?: Parameters<PageViewer["open"]>[1]) =>
    viewer.open(pages[name]?.() ?? "", options);
  const rows = (page: Page) => page.locator("tbody tr:visible");
  const shown = (page: Page) => page.getByRole("status").textContent();

  describe("the checks of these tests", () => {
    it("notice forbidden behaviour", async () => {
      const { page, deeds } = await viewer.open(
        '<body style="background: #777; margin: 0"><p style="color: #888">grey</p><div style="overflow: auto; width: 50px">looooooooooong</div>' +
          '<img src="http://127.0.0.1:9/p.png"><script>console.log("spoken"); alert(1)</script>',
      );
      expect(deeds.map((deed) => deed.replace(/:9\/.*/, ""))).toEqual(
        expect.arrayContaining(["request http://127.0.0.1", "console spoken", "dialog 1"]),
      );
      const [worst] = await page.evaluate<Contrast[]>(contrasts);
      expect(worst?.ratio).toBeLessThan(1.5);
      expect(await page.evaluate(cutElements)).toEqual(["div looooooooooong"]);
    });
  });

  it.each(Object.keys(pages))("of %s sends no request, and does nothing but show", async (name) => {
    const { page, deeds } = await open(name);
    await page.locator("#filter").fill("acme");
    await page.locator("#only").uncheck();
    await page.locator("#filter").fill("");
    await page.locator("tbody td").first().click();
    for (const link of await page.locator("nav a").all()) await link.click();
    expect(deeds).toEqual([]);
  });

  it("links to its parts", async () => {
    const { page } = await open("change");
    const links = await page.locator("nav a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(links).toEqual(expect.arrayContaining(["#risks", "#gains", "#access", "#warnings"]));
    for (const link of links) expect(await page.locator(`section${link} h2`).count()).toBe(1);
  });

  describe("the filter", () => {
    it("hides people who do not match, and shows the number of rows", async () => {
      const { page } = await open("change");
      expect(await rows(page).count()).toBe(9);
      expect(await shown(page)).toBe("9 of 12 rows (3 without changes are hidden)");
      await page.locator("#filter").fill("  FEMI  admin ");
      expect(await rows(page).locator("th").allTextContents()).toEqual([expect.stringMatching(/^femi@acme.test/)]);
      expect(await shown(page)).toBe("1 of 12 rows fit the filter");
      await page.locator("#filter").fill("writers");
      expect(await rows(page).count()).toBe(3);
      await page.locator("#filter").fill("nobody at all");
      expect(await rows(page).count()).toBe(0);
      expect(await shown(page)).toBe("0 of 12 rows fit the filter");
      await page.locator("#filter").fill("");
      expect(await rows(page).count()).toBe(9);
    });

    it("shows rows without changes if asked, and at the start if nothing changes", async () => {
      const { page } = await open("change");
      await page.getByLabel("only changes").uncheck();
      expect(await rows(page).count()).toBe(12);
      expect(await shown(page)).toBe("12 of 12 rows");
      const guarded = await open("guarded");
      expect(await guarded.page.getByLabel("only changes").isChecked()).toBe(false);
      expect(await shown(guarded.page)).toBe("3 of 3 rows");
    });

    it("shows ids on demand", async () => {
      const { page } = await open("change");
      const shown = (name: string) =>
        page
          .locator("#gains")
          .getByText(name, { exact: true })
          .evaluate((one) => {
            return one.ownerDocument.defaultView.getComputedStyle(one, "::after").content;
          });
      expect([await shown("femi@acme.test"), await shown("bea@acme.test")]).toEqual(["none", "none"]);
      await page.getByLabel("ids of people and teams").check();
      // The preview has no id of bea.
      expect([await shown("femi@acme.test"), await shown("bea@acme.test")]).toEqual(['" (user_femi)"', "none"]);
    });
  });

  it("can be used with the keyboard, and says each change in a sentence to screen readers", async () => {
    const { page } = await open("change");
    const press = async (): Promise<Focus> => {
      await page.keyboard.press("Tab");
      return page.evaluate<Focus>(focus);
    };
    const stops: Focus[] = [];
    for (let stop = await press(); stop.what !== "body"; stop = await press()) stops.push(stop);
    expect(stops.map(({ what }) => what)).toEqual([...Array(11).fill("a"), "filter", "only", "ids", "div"]);
    expect(stops.filter(({ visible }) => !visible)).toEqual([]);
    const cell = page.getByRole("cell", { name: /^team Writers \(team_writers\) owner → member/ });
    expect(await cell.count()).toBe(1);
    expect(await page.getByRole("rowheader", { name: "bea@acme.test" }).count()).toBe(1);
  });

  describe.each(["light", "dark"] as const)("%s", (colorScheme) => {
    it.each(Object.keys(pages))("shows all text of %s with a contrast of at least 4.5", async (name) => {
      const { page } = await open(name, { colorScheme });
      await page.locator("#only").uncheck();
      const found = await page.evaluate<Contrast[]>(contrasts);
      expect(found.length).toBeGreaterThan(20);
      expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
      const back = await page.locator("body").evaluate((body) => {
        return body.ownerDocument.defaultView.getComputedStyle(body).backgroundColor;
      });
      expect(back).toBe(colorScheme === "dark" ? "rgb(18, 22, 27)" : "rgb(255, 255, 255)");
    });
  });

  describe("on paper", () => {
    const paper = { viewport: { width: 718, height: 1000 }, colorScheme: "dark" } as const;
    const printed = async (name: string): Promise<Opened> => {
      const opened = await open(name, paper);
      await opened.page.locator("#only").uncheck();
      await opened.page.emulateMedia({ media: "print" });
      return opened;
    };

    it.each(Object.keys(pages))("of %s nothing is cut, and text is dark on white", async (name) => {
      const { page } = await printed(name);
      expect(await page.evaluate(cutElements)).toEqual([]);
      const found = await page.evaluate<Contrast[]>(contrasts);
      expect(found.filter(({ ratio }) => ratio < 4.5)).toEqual([]);
      expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(1000);
    });

    it("has no controls, and shows the number of rows", async () => {
      const { page } = await printed("change");
      expect(await page.locator("#filter").isVisible()).toBe(false);
      expect(await page.locator("nav").isVisible()).toBe(false);
      expect(await page.getByText("12 of 12 rows").isVisible()).toBe(true);
      expect(await rows(page).count()).toBe(12);
    });

    it("prints a table that is too wide as sentences", async () => {
      const { page } = await printed("wide");
      const said = await page
        .locator("td.gains")
        .first()
        .evaluate((cell) => {
          return cell.ownerDocument.defaultView.getComputedStyle(cell, "::before").content;
        });
      expect(said).toMatch(/▲ .*team Writers of the guides for partners, part \d+ \(team_\d+\)/);
      expect(await page.locator("thead").isVisible()).toBe(false);
    });
  });

  it.each([320, 768, 2560])("at %d pixels, nothing is wider than the page", async (width) => {
    for (const name of Object.keys(pages)) {
      const { page } = await open(name, { viewport: { width, height: 800 } });
      await page.locator("#only").uncheck();
      const tooWide = await page.locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
      expect(tooWide).toBe(0);
      // The table scrolls in its own frame.
      await page.locator("tbody, thead").evaluateAll((parts) => parts.map((part) => part.remove()));
      expect(await page.evaluate(cutElements)).toEqual([]);
    }
  });

  it("is readable without JavaScript", async () => {
    const { page, deeds } = await open("change", { javaScriptEnabled: false });
    expect(await page.locator("tbody tr").count()).toBe(12);
    expect(await rows(page).count()).toBe(12);
    expect(await page.locator("#filter").isVisible()).toBe(false);
    expect(await page.locator("section li:visible").count()).toBe(await page.locator("section li").count());
    expect(await page.getByRole("region", { name: "Access matrix" }).getAttribute("tabindex")).toBe("0");
    expect(deeds).toEqual([]);
  });

  it.each([true, false])("shows hostile titles without running them, policy off: %s", async (bypassCSP) => {
    const review = reviewOfSteps(
      ...hostile.flatMap((text, index) => [
        { op: "create", type: "Site", name: `${text}${index}`, declared: { title: text, visibility: text } },
        { op: "create", type: "MemberRole", name: `${text}${index}`, declared: { user: text, role: text } },
        { op: "create", type: "TeamMembers", name: text, declared: { teamId: text, members: { [text]: "member" } } },
        { op: "delete", type: "SamlProvider", name: text, live: { label: text } },
      ]),
    );
    const titles = Object.fromEntries(hostile.map((text) => [text, text]));
    const { page, deeds } = await viewer.open(htmlOf({ ...review, project: hostile[4] ?? "", teams: titles }), {
      bypassCSP,
    });
    for (const text of ["onerror", "alert", "script"]) await page.locator("#filter").fill(text);
    await page.locator("#filter").fill("");
    for (const cell of await page.locator("tbody [title]").all()) await cell.hover();
    expect(await page.locator("main img, main script, main a, main h3, main [onerror]").count()).toBe(0);
    expect(await page.getByText("<script>alert(1)</script>").count()).toBeGreaterThan(0);
    expect(deeds).toEqual([]);
  });
});
