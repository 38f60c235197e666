// Which room may import from which (see the list in CONTRIBUTING.md). Type imports count as well.
const rooms = [
  "start/",
  "text",
  "api",
  "run",
  "people",
  "access-plan",
  "access/",
  "lifecycle",
  "resources",
  "definitions\\.ts",
  "lookups",
  "report",
  "review",
  "program",
  "hosts",
  "organization",
  "(audit|certify|export|engine/)",
  "history",
  "access-report",
  "change-requests",
  "evidence",
  "deployment",
  "doctor",
  "cli",
];
const inside = (names) => `^provider/(${names.join("|")})`;

/** A room imports from the rooms above it in this list. */
const layers = rooms.slice(0, -1).map((room, index) => ({
  name: `${room.replace(/\W/g, " ").trim()} imports from lower rooms only`,
  severity: "error",
  from: { path: inside([room]) },
  to: { path: inside(rooms.slice(index + 1)) },
}));

module.exports = {
  forbidden: [
    ...layers,
    { name: "no circle", severity: "error", from: {}, to: { circular: true } },
    {
      name: "audit and export do not know each other",
      severity: "error",
      from: { path: "^provider/(audit|export)/" },
      to: { path: "^provider/(audit|export)/", pathNot: "^provider/$1/" },
    },
    {
      name: "the emulator knows the API and nothing else",
      severity: "error",
      from: { path: "^provider/emulator/" },
      to: { path: "^provider/", pathNot: "^provider/(emulator|api|text)/" },
    },
    {
      name: "nothing but the command and the testing entry imports the emulator",
      severity: "error",
      from: { path: "^provider/", pathNot: "^provider/(emulator|cli|testing)/" },
      to: { path: "^provider/emulator/" },
    },
    {
      name: "only hosts and what programs use import the SDK",
      severity: "error",
      from: {
        path: "^provider/(text|api|run|people|access|lifecycle|resources|lookups|report|review|audit|history|access-report|export|change-requests|emulator|definitions)",
      },
      to: { path: "@pulumi/pulumi", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "of the organization, only the classes import the SDK and the dynamic host",
      severity: "error",
      from: {
        path: "^provider/organization/",
        pathNot: "^provider/organization/(remote-component|component(-outputs)?).ts$",
      },
      to: { path: "@pulumi/pulumi|^provider/(program|hosts/dynamic)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "the access plan is computed from its input alone",
      severity: "error",
      from: { path: "^provider/access-plan/" },
      to: { pathNot: "^provider/(access-plan|people)/|^provider/api/groups/shared.ts$" },
    },
    {
      name: "undici stays in the transport",
      severity: "error",
      from: { path: "^provider/", pathNot: "^provider/api/http/" },
      to: { path: "node_modules/undici" },
    },
    {
      name: "nothing imports tests, benchmarks or scripts",
      severity: "error",
      from: { path: "^provider/" },
      to: { path: "^(test|bench|scripts)/" },
    },
    { name: "every import can be found", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "default", "types"],
    },
  },
};
