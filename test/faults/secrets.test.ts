import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RowName } from "../../provider/api/endpoints";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type Outcome, root, Stack } from "../../scripts/stack";
import { cut, type Hook } from "../support/lying-service";
import { CrashingStack, type Host } from "./crashing-stack";
import { Search } from "./secrets/search";

/** A recognizable token runs through everything, and is searched for in every byte that was printed, written or passed on. */

const secret = "7QxZr9kLw8mN3vB5yT2cD6";
/** Its first and last characters are written in another way in addresses, in JSON and in pages. */
const token = `tok+${secret}/=%&<`;
/** Everything that the engine can log. */
const loud = ["-v=9", "--logtostderr", "--logflow"];
/**
 * With -v=9, the engine itself prints each value that it sends to a provider or gets from it, secrets of the configuration included
 * (seen in CLI 3.259). docs/configuration.md warns of it.
 */
const engineLine =
  /^\{.*"msg":"(Unmarshaling|Marshaling) property for RPC\[Provider\[\w+\]\.(CheckConfig|DiffConfig|Configure)\(.*"v":9\}$/gm;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ token });
});
afterAll(() => emulator.close());

const errorOf = (status: number, message: string) => ({ status, body: { error: { code: status, message } } });
const forms = (text: string) =>
  [text, Buffer.from(text).toString("base64"), encodeURIComponent(text), Buffer.from(text).toString("hex")].join(" ");

/** A class of error for each row that a preview of the example reads. Most of them repeat what the request was sent with. */
const errors: Partial<Record<RowName, Hook<RowName>>> = {
  listSites: ({ request }) => errorOf(401, `wrong token ${forms(request.headers.authorization ?? "")}`),
  listMembers: ({ request }) => errorOf(403, JSON.stringify(request.headers)),
  listTeamMembers: ({ request }) => ({
    status: 502,
    headers: { "content-type": "text/html" },
    body: `<html><body><h1>Bad Gateway</h1><pre>${JSON.stringify(request.headers)}</pre></body></html>`,
  }),
  listSamlProviders: ({ request }) => ({
    status: 302,
    headers: { location: `https://elsewhere.test/?token=${encodeURIComponent(request.headers.authorization ?? "")}` },
  }),
  listTranslations: () => cut,
  getTranslation: async ({ forward }) => ({ ...(await forward()), manner: "cut" }),
  getSite: ({ request }) => errorOf(404, `nothing at ${request.path} for ${request.headers.authorization}`),
  getMember: ({ request }) => ({ status: 429, headers: { "retry-after": "9999999" }, body: request.headers }),
};

async function started(host: Host): Promise<{ crashing: CrashingStack; search: Search }> {
  const search = await Search.start(secret);
  const crashing = await CrashingStack.start(host, emulator);
  const { stack } = crashing;
  Object.assign(stack.environment, search.environment, { DOCS_LOG: "debug", DOCS_DEADLINE: "3" });
  search.below(stack.folder, path.dirname(stack.stateFolder));
  onTestFinished(async () => {
    await search.stop();
    await crashing.stop();
  });
  return { crashing, search };
}

/** Runs a command of the package in the folder of the stack. */
const docsOrg = (stack: Stack, ...args: string[]): Promise<Outcome> =>
  stack.execute(process.execPath, [path.join(root, "dist", "cli", "index.js"), ...args]);

describe.each(["dynamic", "plugin"] as const)("%s host", (host) => {
  it("never prints, writes or passes on the token: success, errors, crashes, and the commands on the results", async () => {
    const { crashing, search } = await started(host);
    const { stack, service } = crashing;
    const engine = async (...args: string[]) => {
      return search.of(`pulumi ${args[0]}`, stack.run(...args, ...loud));
    };

    // A crash of the provider and of the engine, and then the rest.
    const removeHook = service.lying.on("createSite", async () => {
      removeHook();
      await crashing.killProvider();
      return cut;
    });
    await search.of("a killed provider", crashing.start("up", "--yes", "--skip-preview", ...loud));
    await crashing.endLeftovers();
    await engine("refresh", "--yes", "--clear-pending-creates");
    const refused = await engine("up", "--yes", "--skip-preview");
    const [, ids = ""] = /DOCS_TAKE_OVER=(\S+) /.exec(refused.output) ?? [];
    stack.environment.DOCS_TAKE_OVER = ids;
    // What the configuration of the stack has is encrypted.
    const setting = ["config", "set", "--secret", "docs:token", "--non-interactive"];
    await search.of("pulumi config", stack.execute("pulumi", setting, {}, token));
    delete stack.environment.DOCS_TOKEN;
    const up = await engine("up", "--yes", "--refresh", "--run-program");
    expect(up.status, up.output.slice(-3000)).toBe(0);
    expect(up.output).toContain("docs-org: GET /v1/orgs/");

    const preview = await stack.run("preview", "--json", "--diff", "--show-sames", "--refresh");
    await search.of("pulumi preview", Promise.resolve(preview));
    expect(preview.status, preview.output.slice(-3000)).toBe(0);
    await writeFile(path.join(stack.folder, "preview.json"), preview.stdout);
    await search.of("pulumi stack export", stack.run("stack", "export", "--file", "exported.json"));

    // Errors of every class, with each read at once.
    for (const [row, hook] of Object.entries(errors)) service.lying.on(row as RowName, hook);
    const failed = await engine("preview", "--refresh");
    expect(failed.status).not.toBe(0);
    expect(failed.output).toContain("could not");

    // The commands of the package, with the same errors and without.
    stack.environment.DOCS_TOKEN = token;
    const commands = [
      ["review", "preview.json", "--format", "html"],
      ["review", "preview.json", "--format", "json", "--plan", "plan.json"],
      ["audit", "--state", "exported.json"],
      ["export", "--out", "files"],
      ["doctor"],
      ["change-requests"],
    ];
    for (const args of commands) await search.of(`docs-org ${args.join(" ")}`, docsOrg(stack, ...args));
    stack.environment.DOCS_TOKEN = `${token} and more`;
    const malformed = await search.of("docs-org doctor", docsOrg(stack, "doctor"));
    expect(malformed.output).toContain("the token contains spaces");

    expect(up.output.match(engineLine)?.some((line) => line.includes(token))).toBe(true);
    expect(await search.leaks(engineLine)).toEqual([]);
    process.stdout.write(`the token, ${host} host: ${search.size}\n`);
  });
});

it("would be found: in other forms, in a file, and as an argument", async () => {
  const search = await Search.start(secret);
  onTestFinished(() => search.stop());
  const { HOME = "", TMPDIR = "" } = search.environment;
  const coded = Buffer.from(`x${token}`);
  await writeFile(path.join(HOME, "log"), `at ${coded.toString("base64")}`);
  await writeFile(path.join(TMPDIR, "log"), encodeURIComponent(token));
  const script = 'setTimeout(() => console.log(Buffer.from(process.argv[1]).toString("hex")), 500)';
  const stack = await Stack.create({ text: "" });
  await search.of("a program", stack.execute(process.execPath, ["-e", script, token]));
  await stack.remove();
  const places = (await search.leaks()).map(({ where }) => path.basename(path.dirname(where)) + path.basename(where));
  expect(places.sort()).toEqual([".the arguments of a process", ".what a program prints", "homelog", "tmplog"]);
});
