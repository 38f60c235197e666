import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { RowName } from "../../provider/api/endpoints";
import { startEmulated } from "../emulator/support";
import { failureOf } from "./failure";
import { cutConnection, type Hook, LyingService } from "./lying-service";

/** Milliseconds that the client waits for the end of an answer. */
const patience = 1_000;
const members = "/v1/orgs/acme/members";
const eli = { userId: "user_eli", email: "eli@acme.test", role: "edit" as const };

async function behindLies() {
  const emulator = await startEmulated({ seed: { organizations: { acme: { members: [eli] } } } });
  const lying = await LyingService.start(emulator.url);
  onTestFinished(() => lying.close());
  const lower = async () => {
    const headers = { authorization: `Bearer ${emulator.token}`, "content-type": "application/json" };
    const sent = { method: "PATCH", headers, body: JSON.stringify({ role: "read" }) };
    const answer = await fetch(`${lying.url}${members}/user_eli`, { ...sent, signal: AbortSignal.timeout(patience) });
    return answer.json();
  };
  const roleOfEli = () => emulator.state.organizations.get("acme")?.members.get("user_eli")?.role;
  return { lying, lower, roleOfEli };
}

/** The role afterwards, which is "read" if the write was applied although the client got no answer; and how long the client waited. */
const broken: [string, Hook<"updateMember">, string, "fast" | "slow"][] = [
  ["cut before", () => cutConnection, "edit", "fast"],
  ["cut after", ({ forward }) => forward().then(() => cutConnection), "read", "fast"],
  ["cut within", async ({ forward }) => ({ ...(await forward()), manner: "cut" }), "read", "fast"],
  ["trickling", async ({ forward }) => ({ ...(await forward()), manner: { every: 100 } }), "read", "slow"],
  ["stalled", async ({ forward }) => ({ ...(await forward()), manner: "stall" }), "read", "slow"],
  ["endless", async ({ forward }) => ({ ...(await forward()), manner: "endless" }), "read", "slow"],
  ["late", ({ forward }) => sleep(2 * patience).then(forward), "edit", "slow"],
];

test.each(broken)(
  "a client gets no answer that is %s, whether or not the write was applied",
  async (_, hook, role, pace) => {
    const { lying, lower, roleOfEli } = await behindLies();
    lying.on("updateMember", hook, 1);
    const { name } = await failureOf(lower());
    expect(name === "TimeoutError" ? "slow" : "fast").toBe(pace);
    expect(roleOfEli()).toBe(role);
  },
);

test("a hook that throws cuts the connection, and close reports it", async () => {
  const emulator = await startEmulated();
  const lying = await LyingService.start(emulator.url);
  lying.on("getMember" satisfies RowName, () => {
    throw new Error("the test itself is wrong");
  });
  await expect(fetch(`${lying.url}${members}/user_ada`)).rejects.toThrow();
  await expect(lying.close()).rejects.toThrow("the test itself is wrong");
});
