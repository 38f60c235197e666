import { parse, stringify } from "yaml";
import { testLanguage } from "./language";

testLanguage({
  language: "yaml",
  title: "YAML",
  added: (files, code) => {
    const program = parse(files["Pulumi.yaml"] ?? "");
    const { resources } = parse(code);
    return { "Pulumi.yaml": stringify({ ...program, resources: { ...program.resources, ...resources } }) };
  },
});
