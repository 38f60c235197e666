import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { writePlan } from "../../provider/access/plan-file";
import { startEmulator } from "../../provider/emulator";
import { readPreview } from "../../provider/review/model/preview";
import { planOf } from "../../provider/review/plan/plan";
import { reviewOf } from "../../provider/review/review";
import { previewOf } from "../review/support";
import { startProvider } from "../support/provider";

it("an up with a plan creates nothing in another organization than the reviewed one", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "docs-org-plan-"));
  const emulator = await startEmulator();
  const grant = { user: "user_eli", role: "edit" };
  const creating = async (organizationId: string) => {
    const preview = readPreview(previewOf({ op: "create", type: "MemberRole", declared: grant }), "a preview");
    const plan = path.join(folder, `${organizationId}.json`);
    await writeFile(plan, writePlan(planOf(reviewOf(preview, { organizationId }))));
    const config = { "docs:baseUrl": emulator.url, "docs:token": emulator.token };
    const environment = { DOCS_ORGANIZATION_ID: "acme", DOCS_PLAN: plan };
    const provider = await startProvider("MemberRole", { config, environment });
    return provider.create(grant).finally(() => provider.stop());
  };
  try {
    await expect(creating("other")).rejects.toThrow(
      "the plan of DOCS_PLAN is about organization other, and this resource would be created in organization acme; correct DOCS_ORGANIZATION_ID or " +
        "docs:organizationId, or review the change again",
    );
    expect(emulator.log).toEqual([]);
    expect((await creating("acme")).id).toBe("user_eli");
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true });
  }
});
