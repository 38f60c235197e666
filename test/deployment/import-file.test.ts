import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readImports, refuseOther } from "../../provider/deployment/import-file";
import { freshFolder } from "../support/docs-org";

let root: string;
const file = () => join(root, "import-main.json");

beforeEach(() => {
  root = freshFolder();
});

test.each(["", "{", "null", '{"resources":7}'])("the damaged import file %j is refused in one sentence", (text) => {
  writeFileSync(file(), text);
  expect(() => readImports(file())).toThrow(
    /is not an import file of docs-org take-over; run docs-org take-over --force/,
  );
});

test("an import file is read", () => {
  writeFileSync(file(), '{"resources":[{"id":"a"}]}');
  expect(readImports(file())).toEqual([{ id: "a" }]);
});

test("only the take-over of the same organization goes on", () => {
  const goOn = () => refuseOther(root, "acme", false);
  expect(goOn).toThrow("organization.yaml has no organization now; run docs-org take-over --force");
  expect(() => refuseOther(root, "acme", true)).not.toThrow();
  writeFileSync(join(root, "organization.yaml"), "organization: other\n");
  expect(goOn).toThrow("a take-over of organization other was interrupted here, and DOCS_ORGANIZATION_ID names acme");
  expect(() => refuseOther(root, "acme", true)).toThrow("use another folder");
  writeFileSync(join(root, "organization.yaml"), "organization: acme\n");
  expect(goOn).not.toThrow();
});
