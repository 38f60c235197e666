import { expect, it } from "vitest";
import { managementOf } from "../../provider/access/management";
import { Run } from "../../provider/run/run";

it("forgets a resource by its id if its subjects have changed, unless two resources have the id", () => {
  const place = { kind: "team", team: "t", organization: "acme" } as const;
  const resource = (...names: string[]) => ({
    resource: "TeamMembers t",
    subjects: names.map((name) => ({ place, name })),
  });
  const remaining = (...recorded: ReturnType<typeof resource>[]) => {
    const run = new Run();
    run.noteProgram();
    const management = managementOf(run);
    for (const one of recorded) management.record(one);
    management.removeRecord(resource("ada", "bea"));
    return ["ada", "bea", "cem"].filter((name) => management.managerOf({ place, name }));
  };
  expect(remaining(resource("ada", "cem"))).toEqual([]);
  expect(remaining(resource("ada"), resource("bea", "cem"))).toEqual(["ada", "bea", "cem"]);
  expect(remaining(resource("ada"), resource("bea", "ada"))).toEqual(["ada"]);
});
