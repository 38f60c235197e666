import { expect, test } from "vitest";
import { eventsIn, sites, startEmulated } from "./support";

const path = `${sites}/site_handbook/ai/response`;
const ask = (content: unknown, more: object = {}) => ({ input: [{ role: "user", content }], ...more });

test("a response starts, names the pages that it found, and finishes", async () => {
  const { call } = await startEmulated();
  const { status, headers, text } = await call("POST", path, ask("How do I do a rollback?"));
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
  expect(text).not.toContain("[DONE]");
  const events = eventsIn(text);
  expect(events.map(({ type }) => type)).toEqual([
    "response_start",
    "response_document",
    "response_followup_suggestion",
    "response_finish",
  ]);
  expect(new Set(events.map(({ messageId }) => messageId)).size).toBe(1);
  expect(events[1]).toMatchObject({
    stepIndex: 0,
    operation: "insert",
    blocks: [{ object: "block", type: "paragraph" }],
  });
  expect(JSON.stringify(events[1])).toContain('See \\"Rollback\\" (deployment/rollback).');
});
