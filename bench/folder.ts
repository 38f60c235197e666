import { spawn } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { stringify } from "yaml";
import type { Seed } from "../provider/emulator";
import { ensureEngine } from "../scripts/engine";
import { root } from "../scripts/stack";

export const organizationId = "acme";
const people = Array.from({ length: 50 }, (_, index) => `person${index + 1}@acme.test`);
const roles = ["admin", "create", "review", "edit", "comment", "read"] as const;
const roleOf = (index: number) => roles[index % roles.length] as (typeof roles)[number];

export const seed: Seed = {
  organizations: {
    [organizationId]: {
      members: people.map((email, index) => ({ userId: `user_${index + 1}`, email, role: roleOf(index) })),
    },
  },
};

/** Declares all people: after the first three, every second person with another role. */
const organizationYaml = stringify({
  organization: organizationId,
  members: Object.fromEntries(people.map((email, index) => [email, roleOf(index < 3 ? index : index + (index % 2))])),
  sites: { handbook: { title: "Handbook", visibility: "unlisted", published: true } },
});

/** A folder with organization.yaml, in which commands of docs-org run. */
export class OrganizationFolder {
  private constructor(
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  static async create(settings: NodeJS.ProcessEnv): Promise<OrganizationFolder> {
    const folder = await mkdtemp(path.join(tmpdir(), "docs-org-start-"));
    await writeFile(path.join(folder, "organization.yaml"), organizationYaml);
    await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    const { PULUMI_BACKEND_URL: _, ...others } = process.env;
    const made = new OrganizationFolder(folder, { ...others, ...settings, PULUMI_HOME: path.join(folder, "home") });
    await made.docsOrg("preview");
    return made;
  }

  docsOrg(...args: string[]): Promise<string> {
    return this.run(process.execPath, [path.join(root, "dist", "cli", "index.js"), ...args], this.folder);
  }

  /** Saves a preview for docs-org review. Returns its file. */
  async savePreview(): Promise<string> {
    const { environment } = await ensureEngine();
    const args = ["preview", "--json", "--stack", "main", "--non-interactive"];
    const ofEngine = { PATH: environment.PATH, PULUMI_CONFIG_PASSPHRASE: "" };
    const file = path.join(this.folder, "preview.json");
    await writeFile(file, await this.run("pulumi", args, path.join(this.folder, ".docs-org"), ofEngine));
    return file;
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true });
  }

  private run(command: string, args: readonly string[], cwd: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
    const env = { ...this.environment, ...more };
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const printed = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        printed[stream] += text;
      });
    }
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) =>
        status === 0
          ? resolve(printed.stdout)
          : reject(new Error(`${args.join(" ")}: ${printed.stderr}${printed.stdout}`)),
      );
    });
  }
}
