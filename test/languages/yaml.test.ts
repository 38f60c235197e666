import { expect, it, onTestFinished } from "vitest";
import { parse, stringify } from "yaml";
import { startEmulator } from "../../provider/emulator";
import { pluginImport, pluginTakeOver } from "../pages/journeys";
import { testLanguage } from "./language";

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
      const sites = "sites:\n  handbook-of-yaml:\n    title: Handbook of YAML\n    protect: false\n";
      await project().write({ "organization.yaml": `organization: acme\n${sites}    visibilty: unlisted\n` });
      const { status, output } = await project().attempt("pulumi preview");
      expect(status).not.toBe(0);
      expect(output).toMatch(/organization\.yaml:6:5.*visibilty.*visibility/s);
      await project().write({ "organization.yaml": `organization: acme\n${sites}` });
      expect(await project().run("pulumi up --yes --skip-preview")).toMatch(
        /docs:index:Site acme-handbook-of-yaml created/,
      );
    });

    it("takes over an organization with the commands of the guide, which has those that the export prints", async () => {
      const emulator = await startEmulator();
      onTestFinished(() => emulator.close());
      const commands = pluginTakeOver.map(({ content }) => content).join("");
      const own = commands.replace(/^npm init .*/m, "ln -s ../node_modules").replace(/^export DOCS_.*/m, "");
      const output = await project().at(emulator).run(`mkdir followed\ncd followed\n${own}`);
      const printed = [...output.matchAll(/^ {2}(pulumi [^#\n]+)/gm)].map(([, command = ""]) => command.trim());
      expect(printed.length).toBeGreaterThan(3);
      expect(printed.filter((command) => !commands.includes(command))).toEqual([]);
      expect(emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
    });

    it("imports an object with the command of docs/plugin.md", async () => {
      await declare({});
      const [command] = pluginImport;
      expect(await project().run(command?.content ?? "")).toMatch(/^ += 1 imported$/m);
    });
  },
});
