import { expect, test } from "vitest";
import { seedWithSites, sites, startEmulated } from "./support";

const path = `${sites}/site_1/adaptive-schema`;
const description = "What it says.";
const jsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    beta: { type: "boolean", description },
    plan: { type: "string", description, enum: ["free", "pro"] },
    name: { type: "string", description },
    seats: { type: "number", description },
    groups: { type: "array", description, items: { type: "string", description, enum: ["a"] } },
    tags: { type: "array", description, items: { type: "string", description } },
    account: {
      type: "object",
      description,
      properties: { "is paid": { type: "boolean", description } },
      additionalProperties: false,
    },
    unsigned: {
      type: "object",
      description: "Unsigned claims of the site visitor.",
      properties: { lang: { type: "string", description } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

test("every claim has a condition", async () => {
  const { call } = await startEmulated({ seed: seedWithSites({ id: "site_1" }) });
  await call("PUT", path, { jsonSchema });
  const { body } = await call("GET", `${path}/template-conditions`);
  expect(body.items[0]).toEqual({ description, condition: "visitor.claims.beta != null" });
  expect(body.items.map((item: { condition: string }) => item.condition)).toEqual(
    ["beta", "plan", "name", "seats", "groups", "tags", 'account["is paid"]', "unsigned.lang"].map(
      (claim) => `visitor.claims.${claim} != null`,
    ),
  );
});
