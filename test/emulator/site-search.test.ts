import { expect, test } from "vitest";
import type { Seed } from "../../provider/emulator";
import { idOfItem, sites, startEmulated } from "./support";

const seed: Seed = {
  organizations: {
    acme: {
      spaces: [
        {
          id: "guides",
          title: "Guides",
          pages: [
            {
              title: "Deploying",
              markdown: "Ship it.\n\n# Rollback\n\nGo back to a release.\n\n# Other\n\nNothing.",
              pages: [{ title: "Release notes", markdown: "Say what is new." }],
            },
          ],
        },
        { id: "reference", title: "Reference", pages: [{ title: "Releases API", markdown: "Lists them." }] },
        { id: "elsewhere", title: "Elsewhere", pages: [{ title: "Release" }] },
      ],
      sites: [
        {
          id: "site_1",
          spaces: [
            { id: "one", space: "guides" },
            { id: "two", space: "reference" },
          ],
        },
      ],
    },
  },
};

const path = `${sites}/site_1/search`;

async function found(body: object) {
  const { call } = await startEmulated({ seed });
  const answer = await call("POST", path, body);
  expect(answer.status).toBe(200);
  return answer.body.items;
}

test("words are found in titles and bodies, titles first", async () => {
  const [guides, reference] = await found({ query: "release", scope: { mode: "default" } });
  expect([guides.id, reference.id]).toEqual(["guides", "reference"]);
  const [inTitle, inBody] = guides.pages;
  expect(inTitle).toMatchObject({ title: "Release notes", path: "deploying/release-notes" });
  expect(inTitle.ancestors).toEqual([{ title: "Deploying" }]);
  expect(inBody).toMatchObject({ title: "Deploying", path: "deploying", ancestors: [] });
});

test.each([
  [{ scope: { mode: "default" } }, ["guides", "reference"]],
  [{ scope: { mode: "default", currentSiteSpace: "two" } }, ["reference", "guides"]],
  [{ scope: { mode: "specific", siteSpaceIds: ["two"] } }, ["reference"]],
  [{ scope: { mode: "all" } }, ["guides", "reference"]],
  [{ mode: "specific", siteSpaceIds: ["one"] }, ["guides"]],
  [{ mode: "current", siteSpaceId: "two" }, ["reference"]],
  [{ mode: "all" }, ["guides", "reference"]],
])("with %j, a search finds pages of the spaces in this scope, those of the current one first", async (scope, ids) => {
  expect((await found({ query: "release", ...scope })).map(idOfItem)).toEqual(ids);
});
