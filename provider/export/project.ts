/** The other files of the project, as in the README. */

const pulumi = (name: string) => `name: ${JSON.stringify(name)}
runtime: nodejs
main: index.ts
options:
  refresh: always # a plain \`pulumi preview\` reads what is live, and so finds drift
`;

const tsconfig = `{
  "compilerOptions": {
    "target": "es2022", "module": "node16", "moduleResolution": "node16", "types": ["node"],
    "strict": true, "skipLibCheck": true, "noCheck": true
  }
}
`;

export const projectFiles = (name: string): readonly [file: string, text: string][] => [
  ["Pulumi.yaml", pulumi(name)],
  ["tsconfig.json", tsconfig],
];

/** A program that only refers to the file. */
export const fileProgram = (name: string): string => `import * as docs from "pulumi-docs-org";

new docs.Organization(${JSON.stringify(name)}, { file: "organization.yaml" });
`;
