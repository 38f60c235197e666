import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { z } from "zod";
import { organization } from "../../provider/emulator/seed/seed";
import { fault } from "../../provider/emulator/server/faults";
import { defaultReadings } from "../../provider/emulator/store/service";
import { oneLine, root } from "./declarations";
import { descriptionOf, unwrapped } from "./description";
import { table } from "./page";
import { propertiesOf } from "./resources";
import { pathRowsOf, tableOfPaths } from "./rows";

/** Deeper properties, such as the layout of a page in an edit of a change request, would hide the others. */
const mostSteps = 3;

/** The page of what an emulator begins with, and of what it can be told to do. */
export function emulatorPage(): string {
  const faults = propertiesOf(fault).map(([name, property]) => [`\`${name}\``, descriptionOf(property)]);
  const shallow = pathRowsOf(organization).filter(([place]) => place.split(".").length <= mostSteps);
  const parts = [
    "# Seeds, faults and readings of the emulator",
    "[Emulator](../guides/emulator.md) explains how to start one.",
    "## Seed",
    "A seed has organizations by id (`organizations.<id>`). What is omitted, the emulator makes up; a mistake is reported with its line. [`examples/emulator/seed.yaml`](../../examples/emulator/seed.yaml) is an example, and the type `Seed` of `pulumi-docs-org/emulator` has what is deeper than this table.",
    tableOfPaths(shallow, kindOf),
    "## Faults",
    "`GET /_emulator` lists the operations that can fail. `POST /_emulator/faults` adds a fault, `GET` lists those that are still to come, and `DELETE` removes them. In code: `emulator.fault({...})`.",
    table(["property", "what it does"], faults),
    "## Readings",
    "Behaviours that the API document leaves open are options of `startEmulator({ readings: {...} })`. Those with a fixed list of values are also `docs-org emulate --reading NAME=VALUE`.",
    table(["reading", "values", "default", "what it is"], readingsIn("provider/emulator/store/service.ts")),
  ];
  return `${parts.join("\n\n")}\n`;
}

interface Kind {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Kind[];
  readonly oneOf?: readonly Kind[];
}

const namesInYaml: Readonly<Record<string, string>> = { array: "list", object: "mapping" };

/** The kind of a value in YAML. Pages of a seed contain themselves, so their whole type has no end. */
function kindOf(property: z.ZodType): string {
  const text = ({ type, enum: values, anyOf, oneOf }: Kind): string =>
    values?.map((one) => JSON.stringify(one)).join(" | ") ??
    (anyOf ?? oneOf)?.map(text).filter(Boolean).join(" | ") ??
    namesInYaml[type ?? ""] ??
    type ??
    "any";
  const kinds = text(z.toJSONSchema(unwrapped(property), { unrepresentable: "any", io: "input" }) as Kind);
  return [...new Set(kinds.split(" | "))].join(" | ");
}

/** The properties of the interface `Readings`, with their doc comments. */
function readingsIn(file: string): string[][] {
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found = source.statements.find((one) => ts.isInterfaceDeclaration(one) && one.name.text === "Readings");
  const members = (found as ts.InterfaceDeclaration).members.filter(ts.isPropertySignature);
  return members.map((member) => {
    const name = member.name.getText() as keyof typeof defaultReadings;
    const [comment] = ts.getJSDocCommentsAndTags(member);
    const text = oneLine(ts.getTextOfJSDocComment(comment?.comment) ?? "");
    return [`\`${name}\``, `\`${member.type?.getText()}\``, `\`${JSON.stringify(defaultReadings[name])}\``, text];
  });
}
