// node -r ts-node/register/transpile-only --test program.test.ts
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type * as pulumi from "@pulumi/pulumi";
import { type MockedOrganization, mockOrganization } from "pulumi-docs-org/testing";
import { guides, withoutAdministrators } from "./program";

const known = <T>(output: pulumi.Output<T>) => new Promise<T>((resolve) => void output.apply(resolve));

let organization: MockedOrganization;
let program: ReturnType<typeof guides>;

before(async () => {
  organization = await mockOrganization();
  program = guides();
});
after(() => organization.close());

test("the guides are published, and not for everybody to find", async () => {
  assert.equal(await known(program.site.visibility), "unlisted");
  assert.equal((await known(program.site.urls)).published, "https://guides-id.docs.test/");
});

test("lookups read the emulator", async () => {
  assert.deepEqual(await known(program.owners), ["user_cem"]);
});

test("the organization passes its guards and has its resources", async () => {
  assert.deepEqual(await known(program.acme.siteIds), { handbook: "acme-handbook-id" });
  const names = organization.resources.map(({ type, name }) => `${type.split(":").at(-1)} ${name}`);
  assert.ok(names.includes("TeamMembers acme-team_writers"), names.join(", "));
});

test("the guards refuse an organization without administrators, before anything of it is registered", async () => {
  const mocked = await mockOrganization();
  try {
    withoutAdministrators();
    await assert.rejects(mocked.settled(), /would remove the last administrator/);
    assert.deepEqual(
      mocked.resources.filter(({ name }) => name !== "acme"),
      [],
    );
  } finally {
    await mocked.close();
  }
});
