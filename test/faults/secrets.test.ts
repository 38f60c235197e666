import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { stringify } from "yaml";
import type { RowName } from "../../provider/api/endpoints";
import { type Emulator, startEmulator } from "../../provider/emulator";
import { type CommandOutcome, root, Stack } from "../../scripts/stack";
import { cutConnection, type Hook } from "../support/lying-service";
import { hostsOfToday } from "../support/today";
import { CrashingStack, type Host } from "./crashing-stack";
import { Search } from "./secrets/search";

/** A recognizable token runs through everything, and is searched for in every byte that was printed, written or passed on. */

/** Some of its characters are written in another way in addresses and in base64. */
const secret = "7QxZ+r9kLw8/mN3v=B5yT%2cD6";
/** Its last characters are written in another way in JSON and in pages. */
const token = `tok.${secret}&<`;
/** Everything that the engine can log. */
const loud = ["-v=9", "--logtostderr", "--logflow"];
/**
 * With -v=9, the engine itself writes each value that passes between it and a provider. So it does in the logs that it keeps. Secrets
 * of the configuration are among them, also as the base64 of "pulumiPv*..." (seen in CLI 3.259). docs/configuration.md warns of it.
 */
const engineLine =
  /^\{.*("msg":"(Unmarshaling|Marshaling) property for RPC\[Provider\[\w+\]\.(CheckConfig|DiffConfig|Configure)\(|cHVsdW1pUHY).*"v":\d\}$/gm;

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
  listOrganizationChangeRequests: ({ request }) => errorOf(500, `failed for ${request.headers.authorization}`),
  listTranslations: () => cutConnection,
  getTranslation: async ({ forward }) => ({ ...(await forward()), manner: "cut" }),
  getSite: ({ request }) => errorOf(404, `nothing at ${request.path} for ${request.headers.authorization}`),
  getPublishedSite: ({ request }) => ({ status: 429, headers: { "retry-after": "9999999" }, body: request.headers }),
};

async function started(host: Host): Promise<{ crashing: CrashingStack; search: Search }> {
  const search = await Search.start(secret);
  const crashing = await CrashingStack.start(host, emulator);
  const { stack } = crashing;
  Object.assign(stack.environment, search.environment, { DOCS_LOG: "debug", DOCS_DEADLINE: "3" });
  search.addFolders(stack.folder, path.dirname(stack.stateFolder));
  onTestFinished(async () => {
    await search.stop();
    await crashing.stop();
  });
  return { crashing, search };
}

const cli = path.join(root, "dist", "cli", "index.js");

const docsOrg = (stack: Stack, ...args: string[]): Promise<CommandOutcome> =>
  stack.execute(process.execPath, [cli, ...args]);

/**
 * Searches the largest logs that the engine keeps of its own commands, which it encrypts with the key of the stack (seen in CLI 3.259).
 * Those without a stack are only compressed. Returns how many it could decrypt: a killed engine leaves half of one.
 */
async function decryptLogs(stack: Stack, search: Search): Promise<number> {
  const folder = path.join(path.dirname(stack.stateFolder), "home", "logs");
  const files = (await readdir(folder)).map((name) => path.join(folder, name));
  const logs = await Promise.all(files.map(async (file) => ({ file, content: await readFile(file, "latin1") })));
  const encrypted = logs.filter(({ content }) => content.startsWith("PLOG"));
  const largest = encrypted.sort((a, b) => b.content.length - a.content.length).slice(0, 4);
  const decrypted = await Promise.all(
    largest.map(({ file }) => search.record("pulumi logs decrypt", stack.run("logs", "decrypt", file))),
  );
  return decrypted.filter(({ status }) => status === 0).length;
}

/** A command of the package, and what it prints without an error of the service. */
type Command = readonly [args: readonly string[], said: RegExp];
const onFiles: readonly Command[] = [
  [["review", "preview.json"], /docs-org review of/],
  [["review", "preview.json", "--format", "text"], /Nothing changes|Managed/],
  [["review", "preview.json", "--format", "html"], /<!doctype html>/i],
  [["review", "preview.json", "--format", "json", "--plan", "plan.json"], /"verdict"/],
  [["verify", "preview.json", "--plan", "plan.json"], /Everything was reviewed/],
];
const onTheService: readonly Command[] = [
  [["audit", "--state", "exported.json"], /declared/],
  [["export", "--out", "files", "--force"], /organization\.yaml|index\.ts/],
  [["doctor"], /token/],
  [["change-requests"], /open change requests/],
  [["check-site", "site_product"], /site_product|Product docs/],
];
/** In a folder with only organization.yaml. */
const inFolder: readonly Command[] = [
  [["preview"], /who gains|Nothing changes|Managed/i],
  [["up", "--yes"], /Done/],
  [["destroy", "--yes"], /Done/],
];

describe.each(hostsOfToday)("%s host", (host) => {
  it("never prints, writes or passes on the token: success, errors, crashes, and the commands on the results", async () => {
    const { crashing, search } = await started(host);
    const { stack, service } = crashing;
    const engine = (...args: string[]) => search.record(`pulumi ${args[0]}`, stack.run(...args, ...loud));
    const succeeds = async (...args: string[]) => {
      const outcome = await engine(...args);
      expect(outcome.status, outcome.output.slice(-3000)).toBe(0);
      return outcome;
    };
    const commands = async (all: readonly Command[], fails = false) => {
      for (const [args, said] of all) {
        const { output } = await search.record(`docs-org ${args.join(" ")}`, docsOrg(stack, ...args));
        expect(output, args.join(" ")).toMatch(fails ? /could not|FAIL|no answer/ : said);
      }
    };

    // The provider ends in the middle. A later up takes over what it has created.
    const endHook = service.lying.on("createSite", async () => {
      endHook();
      await crashing.killProvider();
      return cutConnection;
    });
    const killed = await search.record("a killed provider", crashing.start("up", "--yes", "--skip-preview", ...loud));
    expect(killed.status).not.toBe(0);
    await crashing.endLeftovers();
    await succeeds("refresh", "--yes", "--clear-pending-creates");
    const refused = await engine("up", "--yes", "--skip-preview");
    const [, ids] = /DOCS_TAKE_OVER=(\S+) /.exec(refused.output) ?? [];
    // Whether something was created before the provider ended depends on the moment.
    if (refused.status !== 0) expect(ids).toMatch(/_/);
    stack.environment.DOCS_TAKE_OVER = ids ?? "";
    // From now on, the token comes from the configuration of the stack, which encrypts it.
    const setting = ["config", "set", "--secret", "docs:token", "--non-interactive"];
    await search.record("pulumi config", stack.execute("pulumi", setting, {}, token));
    delete stack.environment.DOCS_TOKEN;
    const up = await succeeds("up", "--yes", "--refresh", "--run-program");
    expect(up.output).toContain("docs-org: GET /v1/orgs/");
    expect(up.output.match(engineLine)?.some((line) => line.includes(token))).toBe(true);

    const preview = await stack.run("preview", "--json", "--diff", "--show-sames", "--refresh");
    await search.record("pulumi preview", Promise.resolve(preview));
    expect(preview.status, preview.output.slice(-3000)).toBe(0);
    await writeFile(path.join(stack.folder, "preview.json"), preview.stdout);
    await search.record("pulumi stack export", stack.run("stack", "export", "--file", "exported.json"));
    stack.environment.DOCS_TOKEN = token;
    await commands([...onFiles, ...onTheService]);

    // Errors of every class.
    service.lying.forget();
    const hooks = Object.entries(errors).map(([row, hook]) => service.lying.on(row as RowName, hook));
    const failed = await engine("preview", "--refresh");
    expect([failed.status === 0, /could not/.test(failed.output)]).toEqual([false, true]);
    await commands(onTheService, true);
    const unasked = Object.keys(errors).filter((row) => service.lying.requests(row as RowName).length === 0);
    expect(unasked).toEqual([]);
    for (const end of hooks) end();
    stack.environment.DOCS_TOKEN = `${token} and more`;
    const malformed = await search.record("docs-org doctor", docsOrg(stack, "doctor"));
    expect(malformed.output).toContain("the token contains spaces");
    stack.environment.DOCS_TOKEN = token;

    // The engine ends in the middle.
    const endOther = service.lying.on("deleteSamlProvider", async ({ closed }) => {
      endOther();
      await crashing.killEngine(closed);
      return cutConnection;
    });
    const ended = await search.record("a killed engine", crashing.start("destroy", "--yes", "--skip-preview", ...loud));
    expect(ended.status).not.toBe(0);
    await crashing.endLeftovers();
    await stack.removeEmptyAttributes();
    await search.record("pulumi cancel", stack.run("cancel", "--yes"));
    await succeeds("destroy", "--yes", "--skip-preview");
    expect(await decryptLogs(stack, search)).toBeGreaterThan(2);
    expect(await search.leaks(engineLine)).toEqual([]);
    expect(search.processes).toBeGreaterThan(20);
    process.stdout.write(`the token, ${host} host: ${search.size}\n`);
  });
});

it("is neither shown nor recorded if a program gives it to a provider object in plain text", async () => {
  const { crashing, search } = await started("plugin");
  const { stack } = crashing;
  await stack.write({
    text: `import { CustomResource, ProviderResource } from "@pulumi/pulumi";
class Provider extends ProviderResource {}
class Site extends CustomResource {}
const tokens = { other: process.env.DOCS_TOKEN };
new Provider("docs", "unused", { token: process.env.DOCS_TOKEN, tokens });
const provider = new Provider("docs", "plain", { token: process.env.DOCS_TOKEN, tokens });
new Site("docs:index:Site", "guide", { title: "Guide" }, { provider });`,
  });
  const commands = [
    ["up", "--yes", "--diff"],
    ["stack", "export"],
    ["destroy", "--yes", "--skip-preview"],
  ];
  for (const command of commands) {
    const outcome = await search.record(`pulumi ${command[0]}`, stack.run(...command));
    expect(outcome.status, outcome.output).toBe(0);
  }
  expect(await search.leaks()).toEqual([]);
});

it("is never shown by the commands of a folder with only organization.yaml", async () => {
  const { crashing, search } = await started("plugin");
  const { stack, service } = crashing;
  const folder = path.join(stack.folder, "alone");
  await mkdir(folder);
  const file = { organization: service.organizationId, members: { "ada@acme.test": "admin" } };
  await writeFile(path.join(folder, "organization.yaml"), stringify(file));
  for (const [args, said] of inFolder) {
    const script = `cd alone; exec "$@"`;
    const command = stack.execute("sh", ["-c", script, "sh", process.execPath, cli, ...args]);
    const { output } = await search.record(`docs-org ${args.join(" ")}`, command);
    expect(output).toMatch(said);
  }
  expect(await search.leaks()).toEqual([]);
});

it("would be found: in other forms, in a file, and as an argument", async () => {
  const search = await Search.start(secret);
  onTestFinished(() => search.stop());
  const { HOME = "", TMPDIR = "" } = search.environment;
  const coded = Buffer.from(`x${token}`);
  await writeFile(path.join(HOME, "log"), `at ${coded.toString("base64")}`);
  await writeFile(path.join(HOME, "url"), `at ${coded.toString("base64url")}`);
  await writeFile(path.join(TMPDIR, "log"), encodeURIComponent(token));
  const script = 'setTimeout(() => console.log(Buffer.from(process.argv[1]).toString("hex")), 500)';
  const stack = await Stack.create({ text: "" });
  await search.record("a program", stack.execute(process.execPath, ["-e", script, token]));
  await stack.remove();
  const places = (await search.leaks()).map(({ where }) => path.basename(path.dirname(where)) + path.basename(where));
  expect(places.sort()).toEqual([
    ".the arguments of a process",
    ".what a program prints",
    "homelog",
    "homeurl",
    "tmplog",
  ]);
});
