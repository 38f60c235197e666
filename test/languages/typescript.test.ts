import { testLanguage } from "./language";

testLanguage({
  language: "typescript",
  title: "TypeScript",
  added: (files, code) => ({ "index.ts": `${files["index.ts"]}${code.replace(/^import .*\n/gm, "")}` }),
});
