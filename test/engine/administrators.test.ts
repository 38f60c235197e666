import { expect, it } from "vitest";
import { engineBench, program } from "./bench";

const bench = engineBench();
const { stackOf, done, takeWrites } = bench;

type Declared = Readonly<Record<string, string>>;

/** A resource for each person. */
const each = (roles: Declared) =>
  program(
    ...Object.entries(roles).map(
      ([user, role]) => `new docs.MemberRole("${user}", { user: "${user}", role: "${role}" });`,
    ),
  );
/** One resource for all of them. */
const all = (roles: Declared) => program(`new docs.MemberRoles("all", { roles: ${JSON.stringify(roles)} });`);

const at = (userId: string) => ({ organizationId: "acme", userId });
const role = async (userId: string) => (await bench.client.getMember(at(userId))).role;
const administrators = async () => {
  const { items } = await bench.client.listMembers({ organizationId: "acme", query: { role: "admin" } });
  return items.map(({ user }) => user.id);
};

it("hands the role of the last administrator over in any order, and changes nothing when one resource replaces 40", async () => {
  await bench.client.updateMember({ ...at("user_bea"), body: { role: null } });
  const joined = Array.from({ length: 38 }, (_, index) => bench.emulator.join({ userId: `user_${index}` }).id);
  const others = Object.fromEntries(joined.map((id) => [id, "comment"]));
  const stack = await stackOf(each({ user_ada: "read", ...others, user_ines: "admin" }));
  done(await stack.up("--parallel", "64"));
  expect(await administrators()).toEqual(["user_ines"]);
  expect(await Promise.all(["user_ada", "user_0", "user_37"].map(role))).toEqual(["read", "comment", "comment"]);

  // And back, declared in the other order.
  const back = { user_ines: "read", ...others, user_ada: "admin" };
  await stack.write(each(back));
  done(await stack.up("--parallel", "64"));
  expect(await administrators()).toEqual(["user_ada"]);
  takeWrites();

  await stack.write(all(back));
  done(await stack.up("--parallel", "64"));
  expect(takeWrites()).toEqual([]);
  done(await stack.destroy("--parallel", "64"));
  // The previous roles.
  expect(await Promise.all(["user_ada", "user_0"].map(role))).toEqual(["admin", "read"]);
});
