import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { Plan } from "../../../provider/access/plan-file";
import { DocsError } from "../../../provider/api/http/errors";
import { auditFormats } from "../../../provider/audit/formats";
import { changeRequestFormats } from "../../../provider/change-requests/formats";
import type { OpenChangeRequests } from "../../../provider/change-requests/report";
import type { LiveEverything } from "../../../provider/export/draft";
import { draftOf } from "../../../provider/export/draft";
import { write } from "../../../provider/export/files";
import { yamlOf } from "../../../provider/export/yaml";
import { loadOrganization } from "../../../provider/organization/file/loader";
import { jsonOf } from "../../../provider/report/formats";
import { readPreview } from "../../../provider/review/model/preview";
import { planOf } from "../../../provider/review/plan/plan";
import { verify } from "../../../provider/review/plan/verification";
import { htmlOf, markdownOf, textOf } from "../../../provider/review/render/formats";
import { reviewOf } from "../../../provider/review/review";
import { noticeOf, presentable } from "../../../provider/run/presentation";
import { audited, exported, liveWith, person, provider, site, translation } from "../../audit/support";
import { type PreviewStep, print } from "../../review/support";
import { holds } from "../cases";
import { elementsIn, expectOnlyWords, expectPlain, hostileNames, type Names, unseen } from "./hostile-names";

/** Names that mean something to whatever shows them: no format takes them for more than a name. */

/** Steps in which everything that people name has one of the names. */
const stepsWith = ([title, user, label, description]: Names): PreviewStep[] => [
  { op: "create", type: "Site", name: title, declared: { title, visibility: description, published: true } },
  { op: "create", type: "MemberRole", name: label, declared: { user, role: "admin" } },
  { op: "update", type: "MemberRoles", live: { roles: {} }, declared: { roles: { [`2${user}`]: description } } },
  { op: "create", type: "TeamMembers", name: user, declared: { teamId: title, members: { [`1${user}`]: "member" } } },
  { op: "delete", type: "SamlProvider", name: description, live: { label, entityID: title, ssoURL: description } },
  {
    op: "update",
    type: "Translation",
    live: { language: label, instructions: title },
    declared: { language: title, instructions: description },
  },
];
const harmless: Names = ["a", "b", "c", "d"];

const reviewWith = (all: Names, diagnostic?: string) => {
  const content = JSON.parse(print(stepsWith(all)));
  const diagnostics = diagnostic === undefined ? [] : [{ message: diagnostic, severity: "error" }];
  return reviewOf(readPreview(JSON.stringify({ ...content, diagnostics }), "a preview"));
};

it("of previews are names in every format of a review, and in what verify says", async () => {
  await holds(
    { title: "hostile names in reviews", cases: 100 },
    fc.property(hostileNames, fc.boolean(), (all, isRefused) => {
      const review = reviewWith(all, isRefused ? all.join("\n") : undefined);
      expectOnlyWords(markdownOf(review), ["##", "###"]);
      expectPlain(textOf(review));
      const page = htmlOf(review);
      expect(page).not.toMatch(unseen);
      if (!isRefused) {
        const like = htmlOf(reviewWith(harmless));
        // A table breaks what looks like an e-mail before its domain.
        const withBreaks = (html: string) => new Set([...elementsIn(html), "<wbr>"]);
        expect(withBreaks(page)).toEqual(withBreaks(like));
      }
      expectPlain(jsonOf(review));
      expect(JSON.parse(jsonOf(review))).toEqual(JSON.parse(JSON.stringify(review)));
      const [plan, other] = [planOf(review), planOf(reviewWith(harmless))];
      const pairs: [Plan, Plan][] = [
        [plan, other],
        [other, plan],
        [
          { ...plan, refreshed: false },
          { ...plan, organizations: [all[0]] },
        ],
      ];
      for (const [reviewed, fresh] of pairs) {
        try {
          const { unreviewed, obstacles, incomparable } = verify(reviewed, fresh);
          expectPlain([...unreviewed, ...obstacles, ...incomparable].join("\n"));
        } catch (error) {
          expect(error).toBeInstanceOf(DocsError);
          expectPlain(presentable((error as Error).message));
        }
      }
    }),
  );
});

const auditWith = ([title, user, label, description]: Names) =>
  audited(
    liveWith(
      [person("ada", "admin", user), person(`id ${label}`, "read"), person("bea", null)],
      { [title]: { ada: "owner", bea: "member" } },
      {
        saml: [provider("p1", description, label)],
        sites: [site("s1", description, true, title), site("s2", "public", true, title)],
        translations: [translation("t1", label, title)],
      },
    ),
    exported(
      "one",
      { type: "MemberRole", name: title, inputs: { user, role: "read" }, outputs: { userId: "ex" } },
      { type: "Site", name: label, id: description, inputs: { title } },
    ),
  );

it("of live objects are names in every format of an audit", async () => {
  await holds(
    { title: "hostile names in audits", cases: 150 },
    fc.property(hostileNames, (all) => {
      const audit = auditWith(all);
      expectPlain(auditFormats.text(audit));
      expectOnlyWords(auditFormats.markdown(audit), ["##", "###"]);
      const page = auditFormats.html(audit);
      expect(page).not.toMatch(unseen);
      expect(new Set(elementsIn(page))).toEqual(
        new Set(elementsIn(auditFormats.html(auditWith(["a", "b@c", "c", "d"])))),
      );
      expectPlain(jsonOf(audit));
      expect(JSON.parse(jsonOf(audit))).toEqual(JSON.parse(JSON.stringify(audit)));
    }),
  );
});

const reportWith = ([title, user, label, description]: Names): OpenChangeRequests => ({
  version: 1,
  organization: "acme",
  space: label,
  asOf: "2026-12-01T12:00:00Z",
  links: "checked",
  changeRequests: [
    {
      id: label,
      number: 1,
      space: description,
      subject: title,
      author: { id: label, name: user, email: user },
      createdAt: "2026-11-01T12:00:00Z",
      updatedAt: "2026-11-01T12:00:00Z",
      ageDays: 30,
      outdated: true,
      comments: 2,
      url: `https://docs.test/${title}`,
      changes: [{ type: "page_created", page: { id: label, title, path: description } }] as never,
      brokenLinks: [{ page: { id: label, title, path: description }, broken: 1, total: 2, targets: [title, user] }],
    },
  ],
  pulled: [{ id: label, number: 1, space: title, result: description }],
});

it("of change requests are names in every format of their report", async () => {
  const { text, markdown, html, json } = changeRequestFormats;
  const like = new Set(elementsIn(html(reportWith(harmless))));
  await holds(
    { title: "hostile names in change requests", cases: 150 },
    fc.property(hostileNames, (all) => {
      const report = reportWith(all);
      expectPlain(text(report));
      // The address is a link of its own service, and nothing in it ends the link.
      expectOnlyWords(markdown(report).replace(/<https:\/\/docs\.test\/[^\s<>`]*>/, "address"), ["##", "###"]);
      expect(html(report)).not.toMatch(unseen);
      for (const element of elementsIn(html(report))) expect(like).toContain(element);
      expectPlain(json(report));
      expect(JSON.parse(json(report))).toEqual(JSON.parse(JSON.stringify(report)));
    }),
  );
});

it("in lines of a log are one line, which is no command of a CI job", async () => {
  await holds(
    { title: "hostile names in log lines", cases: 150 },
    fc.property(hostileNames, (all) => {
      const line = noticeOf(`could not read ${all.join(" ")}`);
      expectPlain(line);
      expect(line.split("\n")).toHaveLength(2);
      expectPlain(presentable(all.join("\n")));
    }),
  );
});

const liveEverything = ([title, user, label, description]: Names): LiveEverything =>
  ({
    organizationId: "org_1",
    members: [person("user_1", "admin", "one@a.test"), person("user_2", "read", user)],
    teams: [{ id: "team_1", title, people: [{ userId: "user_1", role: "owner" }] }],
    saml: [{ id: "saml_1", label, status: "active", certificate: "", entityID: description, defaultRole: null }],
    sites: [{ id: "site_1", title: description, visibility: "unlisted", published: true }],
    translations: [],
    details: {
      sites: {
        schemas: new Map([
          [
            "site_1",
            {
              type: "object",
              properties: { plan: { type: "string", description: title } },
              additionalProperties: false,
            },
          ],
        ]),
      },
      translations: { spaceTitles: new Map() },
    },
  }) as unknown as LiveEverything;

it("in a file that an export writes are the same names when it is read", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "names-"));
  try {
    let nth = 0;
    await holds(
      { title: "hostile names in exports", cases: 100 },
      fc.property(hostileNames, (all) => {
        const { organization, notes } = draftOf(liveEverything(all));
        for (const note of notes) expect(noticeOf(note)).not.toMatch(unseen);
        const text = yamlOf(organization);
        expect(text.replaceAll("\t", "")).not.toMatch(unseen);
        expect(parse(text, { version: "1.2", schema: "core" })).toEqual(organization);
        const own = path.join(folder, String(nth++));
        write(own, new Map([["organization.yaml", text]]));
        expect(loadOrganization(path.join(own, "organization.yaml")).organization).toEqual(organization);
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
