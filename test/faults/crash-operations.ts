import type { Host } from "./crashing-stack";
import { programText } from "./crashing-stack";

export interface CrashOperation {
  readonly name: "up" | "update" | "destroy";
  readonly program: string;
  readonly command: readonly string[];
}

/** A change of every resource of the example. */
const edits: readonly (readonly [string, string])[] = [
  ['title: "Company handbook"', 'title: "Staff handbook"'],
  ['basename: "developers"', 'basename: "dev"'],
  ["published: false", "published: true"],
  ["Where the visitor works.", "The office of the visitor."],
  ["b.title.localeCompare(a.title)", "a.title.localeCompare(b.title)"],
  ["Address the reader informally.", "Address the reader formally."],
  ['label: "Okta"', 'label: "Okta for everybody"'],
  ['"femi@acme.test": "member" }', '"eli@acme.test": "member" }'],
  ['user: "jun@acme.test", role: "member"', 'user: "jun@acme.test", role: "owner"'],
  ['role: "review"', 'role: "edit"'],
  ['"gita@acme.test": "edit", "ines@acme.test": "edit"', '"gita@acme.test": "create", "ines@acme.test": "edit"'],
];

/** All administrators hand their role over: with another order of the writes, a crash would leave no administrator. */
const handover =
  'new docs.MemberRoles("handover", { roles: { "ada@acme.test": "edit", "bea@acme.test": "edit", "eli@acme.test": "admin" } });';

export async function operationsOf(host: Host): Promise<readonly CrashOperation[]> {
  const program = await programText(host);
  const up = ["up", "--yes", "--skip-preview"];
  return [
    { name: "up", program, command: up },
    { name: "update", program: [edits.reduce(edit, program), handover].join("\n"), command: up },
    { name: "destroy", program, command: ["destroy", "--yes", "--skip-preview"] },
  ];
}

function edit(text: string, [before, after]: readonly [string, string]): string {
  if (text.split(before).length !== 2) throw new Error(`the example has not one ${before}; correct the edits here`);
  return text.replace(before, after);
}
