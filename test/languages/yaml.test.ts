import { beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { pluginImport, pluginTakeOver } from "../pages/journeys";
import { testLanguage } from "./language";
import type { Project } from "./project";

testLanguage({
  language: "yaml",
  example: "plugin-yaml",
  title: "YAML",
  added: (files, code) => {
    const program = parse(files["Pulumi.yaml"] ?? "");
    const { resources } = parse(code);
    return { "Pulumi.yaml": stringify({ ...program, resources: { ...program.resources, ...resources } }) };
  },
  more: (project) => {
    const declare = (resources: object) =>
      project().write({
        "Pulumi.yaml": stringify(
          { name: "handbook-yaml", runtime: "yaml", resources },
          { aliasDuplicateObjects: false },
        ),
      });
    const refused = async (): Promise<string> => {
      const { status, output } = await project().attempt("pulumi preview");
      expect(status).not.toBe(0);
      return output;
    };

    it("refuses what no language may declare: two managers of one role, and a value beyond its limit", async () => {
      const lena = { type: "docs:MemberRole", properties: { user: "user_lena", role: "guest" } };
      await declare({ lena, again: lena });
      expect(await refused()).toMatch(/MemberRole "\w+" and MemberRole "\w+" both manage the role of user_lena/);
      await declare({ handbook: { type: "docs:Site", properties: { title: "H" } } });
      expect(await refused()).toMatch(/title/);
    });

    it("keeps the token of a provider object secret, without being told", async () => {
      const acme = { type: "pulumi:providers:docs", properties: { organizationId: "acme", token: "token_plain" } };
      await declare({ acme });
      expect(await project().run("pulumi up --yes --skip-preview")).not.toContain("token_plain");
      const state = await project().run("pulumi stack export");
      expect(state).toContain("pulumi:providers:docs::acme");
      expect(state).not.toContain("token_plain");
    });

    it("declares an organization in a file, whose mistakes are shown with their place", async () => {
      await declare({ acme: { type: "docs:Organization", properties: { file: "organization.yaml" } } });
      const sites = "sites:\n  handbook-of-yaml:\n    title: Handbook\n    protect: false\n";
      await project().write({ "organization.yaml": `organization: acme\n${sites}    visibilty: unlisted\n` });
      expect(await refused()).toMatch(/organization\.yaml:6:5.*visibilty.*visibility/s);
      await project().write({ "organization.yaml": `organization: acme\n${sites}` });
      expect(await project().run("pulumi up --yes --skip-preview")).toMatch(
        /docs:index:Site acme-handbook-of-yaml created/,
      );
      await project().run("pulumi preview --expect-no-changes");
      await project().run("pulumi destroy --yes --skip-preview");
    });

    describe("takes over an organization with an exported program", () => {
      let emulator: Emulator;
      let taken: Project;
      beforeEach(async () => {
        emulator = await startEmulator();
        taken = project().at(emulator);
        return () => emulator.close();
      });
      const writes = () => emulator.log.filter(({ method }) => method !== "GET");
      const printedIn = (output: string) =>
        [...output.matchAll(/^ {2}(pulumi [^#\n]+)/gm)].map(([, command = ""]) => command.trim());

      it("with the commands that the export prints", async () => {
        const options = "--host plugin --language yaml --format resources --name taken --out printed";
        const commands = printedIn(await taken.run(`npx docs-org export ${options}`));
        expect(commands.length).toBeGreaterThan(3);
        await taken.run(["cd printed", "ln -s ../node_modules", "pulumi stack init printed", ...commands].join("\n"));
        expect(writes()).toEqual([]);
      });

      it("with the commands of the guide, which has those that the export prints", async () => {
        const commands = pluginTakeOver.map(({ content }) => content).join("");
        const own = commands.replace(/^npm init .*/m, "ln -s ../node_modules").replace(/^export DOCS_.*/m, "");
        const output = await taken.run(`mkdir followed\ncd followed\n${own}`);
        const printed = printedIn(output).filter((command) => !command.startsWith("pulumi stack init"));
        expect(printed.filter((command) => !commands.includes(command))).toEqual([]);
        expect(writes()).toEqual([]);
      });
    });

    it("imports an object with the command of docs/plugin.md", async () => {
      await declare({});
      const [command] = pluginImport;
      expect(await project().run(command?.content ?? "")).toMatch(/^ += 1 imported$/m);
    });
  },
});
