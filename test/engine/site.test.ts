import { describe, expect, it } from "vitest";
import { startEmulator } from "../../provider/emulator";
import { engineBench, program } from "./bench";

const bench = engineBench({ readings: { checkoutFor: ["premium"] } });
const { stackOf, done, refused } = bench;

const find = async (title: string) =>
  (await bench.client.listSites({ organizationId: "acme" }).all()).filter((site) => site.title === title);
const theOne = async (title: string) => {
  const [site, ...others] = await find(title);
  if (!site || others.length > 0) throw new Error(`there is not exactly one site "${title}"`);
  return { organizationId: "acme", siteId: site.id };
};

describe("a stack of sites", () => {
  it("is created, finds drift, stops managing a property, refuses and allows a replacement, and is destroyed", async () => {
    const all = '{ title: "Life", visibility: "public", basename: "life", published: true';
    const stack = await stackOf(program(`new docs.Site("life", ${all} });`));
    done(await stack.preview(), /\+ 2 to create/);
    expect(await find("Life")).toEqual([]);
    done(await stack.up(), /\+ 2 created/);
    const site = await theOne("Life");

    done(await stack.preview("--expect-no-changes"), /2 unchanged/);
    await bench.client.updateSite({ ...site, body: { visibility: "unlisted" } });
    const drift = done(await stack.preview("--diff"), /~ visibility\s*: "unlisted" => "public"/, /~ 1 to update/);
    expect(drift.output).not.toMatch(/~ (title|basename|published)/);
    done(await stack.up(), /~ 1 updated/);
    expect((await bench.client.getSite(site)).visibility).toBe("public");

    await stack.write(program('new docs.Site("life", { title: "Life", published: true });'));
    bench.emulator.resetRequests();
    done(await stack.up(), /~ 1 updated/);
    expect(bench.emulator.log.filter(({ method }) => method !== "GET")).toEqual([]);
    await bench.client.updateSite({ ...site, body: { visibility: "unlisted" } });
    done(await stack.preview("--expect-no-changes"), /2 unchanged/);

    await stack.write(program('new docs.Site("life", { title: "Life", published: true, type: "ultimate" });'));
    refused(await stack.preview(), /changing type from "basic" to "ultimate" would replace it/, /allowReplace: true/);
    refused(await stack.up(), /would replace it/);
    expect((await theOne("Life")).siteId).toBe(site.siteId);
    await stack.write(
      program('new docs.Site("life", { title: "Life", published: true, type: "ultimate", allowReplace: true });'),
    );
    done(await stack.up(), /\+-1 replaced/);
    expect((await theOne("Life")).siteId).not.toBe(site.siteId);

    done(await stack.destroy(), /- 2 deleted/);
    expect(await find("Life")).toEqual([]);
  });

  it("creates a site again that is proven to be gone", async () => {
    const stack = await stackOf(program('new docs.Site("gone", { title: "Gone" });'));
    done(await stack.up());
    await bench.client.deleteSite(await theOne("Gone"));
    done(await stack.preview(), /\+ 1 to create/);
    done(await stack.up(), /\+ 1 created/);
    await theOne("Gone");
    await bench.client.deleteSite(await theOne("Gone"));
    done(await stack.destroy());
  });

  it("refuses at preview what the service would refuse, on its property", async () => {
    const stack = await stackOf(
      program('new docs.Site("bad", { title: "a", titel: "b", visibility: "hidden" } as any);'),
    );
    refused(
      await stack.preview(),
      /'bad': property title value \{a\} has a problem: found "a" \(1 character\); use 2 to 128 characters/,
      /'bad': property titel value \{b\} has a problem: there is no such property; did you mean "title"\?/,
      /'bad': property visibility value .* use one of "public", "unlisted", "share-link", "visitor-auth"/,
    );
  });
});

describe("a creation that fails in the middle", () => {
  const text = program('new docs.Site("half", { title: "Half", basename: "half", published: true });');
  const failing = async () => {
    bench.emulator.fault({ row: "publishSite", status: 403, body: { error: { code: 403, message: "Not you" } } });
    const stack = await stackOf(text);
    refused(await stack.up(), /could not publish site site_\w+: the service answered 403 "Not you"/);
    const [site] = await stack.resources();
    expect(site).toMatchObject({ id: (await theOne("Half")).siteId, outputs: { basename: "half", published: false } });
    return stack;
  };

  it("is finished by the next up", async () => {
    const stack = await failing();
    bench.emulator.resetRequests();
    done(await stack.up(), /~ 1 updated/);
    expect(bench.emulator.log.filter(({ method }) => method !== "GET").map(({ row }) => row)).toEqual(["publishSite"]);
    expect(await find("Half")).toMatchObject([{ published: true }]);
    done(await stack.preview("--expect-no-changes"));
    done(await stack.destroy());
  });
});

describe("settings", () => {
  const text = program('new docs.Site("settings", { title: "Settings" });');

  it("that are missing are all named at preview, with both places of each", async () => {
    const stack = await stackOf(text, { DOCS_ORGANIZATION_ID: "acme" });
    refused(
      await stack.preview(),
      /there is no address of the service; set the environment variable DOCS_BASE_URL, or run: pulumi config set docs:baseUrl/,
      /there is no token; set the environment variable DOCS_TOKEN, or run: pulumi config set --secret docs:token/,
    );
    expect(await find("Settings")).toEqual([]);
  });

  it("that name another organization than the state stop every command", async () => {
    const stack = await stackOf(text);
    done(await stack.up());
    stack.environment.DOCS_ORGANIZATION_ID = "other";
    const words = /this stack manages organization acme, but the settings name "other"/;
    for (const command of [stack.preview, stack.up, stack.refresh, stack.destroy]) refused(await command(), words);
    expect(await stack.resources()).toHaveLength(1);
    stack.environment.DOCS_ORGANIZATION_ID = "acme";
    done(await stack.destroy());
  });

  it("that name a host without the organization do not make resources look deleted", async () => {
    const stack = await stackOf(text);
    done(await stack.up());
    const elsewhere = await startEmulator({ organizationId: "elsewhere", token: bench.emulator.token });
    stack.environment.DOCS_BASE_URL = elsewhere.url;
    stack.environment.DOCS_BASE_URL_MOVED_FROM = bench.emulator.url;
    const words = /also answers 404 to the sites of organization acme, so nothing is treated as deleted/;
    for (const command of [stack.preview, stack.refresh, stack.destroy]) refused(await command(), words);
    expect(await stack.resources()).toHaveLength(1);
    await elsewhere.close();
    stack.environment.DOCS_BASE_URL = bench.emulator.url;
    done(await stack.destroy());
  });

  it("of the stack are used, and the error of a rotated token explains that the environment wins", async () => {
    const stack = await stackOf(text, {});
    await stack.setConfig("docs:baseUrl", bench.emulator.url);
    await stack.setConfig("docs:organizationId", "acme");
    await stack.setConfig("docs:token", bench.emulator.token, "--secret");
    done(await stack.up(), /\+ 2 created/);
    done(await stack.preview("--expect-no-changes"));

    const rotated = await startEmulator({ token: "tok_rotated", port: 0 });
    rotated.state.organizations.set("acme", bench.emulator.state.organizations.get("acme") as never);
    await stack.setConfig("docs:baseUrl", rotated.url);
    await stack.setConfig("docs:token", "tok_rotated", "--secret");
    stack.environment.DOCS_BASE_URL = rotated.url;
    stack.environment.DOCS_BASE_URL_MOVED_FROM = bench.emulator.url;
    refused(
      await stack.refresh(),
      /answered 401/,
      /taken from the configuration docs:token/,
      /--run-program/,
      /DOCS_TOKEN/,
    );
    done(await stack.refresh("--run-program"));
    stack.environment.DOCS_TOKEN = "tok_rotated";
    done(await stack.destroy());
    await rotated.close();
  });

  it("with a token in plain text are refused, with the command that corrects it", async () => {
    const stack = await stackOf(text, { DOCS_BASE_URL: bench.emulator.url, DOCS_ORGANIZATION_ID: "acme" });
    await stack.setConfig("docs:token", bench.emulator.token, "--plaintext");
    refused(await stack.preview(), /docs:token is stored in plain text/, /pulumi config set --secret docs:token/);
  });
});

describe("values", () => {
  it("that are known only during the up are not reported at preview", async () => {
    const stack = await stackOf(
      program(
        'const first = new docs.Site("first", { title: "First" });',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the program has it
        "const title = pulumi.interpolate`After ${first.siteId}`;",
        'const live = first.liveType.apply((type) => type as "basic");',
        'new docs.Site("second", { title, type: live, visibility: first.visibility.apply(() => "public" as const) });',
      ),
    );
    done(await stack.preview(), /\+ 3 to create/);
    done(await stack.up(), /\+ 3 created/);
    await theOne(`After ${(await theOne("First")).siteId}`);
    done(await stack.preview("--expect-no-changes"));
    done(await stack.destroy());
  });

  it("that are secret stay secret in the state, and so does the token", async () => {
    const stack = await stackOf(program('new docs.Site("secret", { title: pulumi.secret("Hush hush") });'), {});
    await stack.setConfig("docs:baseUrl", bench.emulator.url);
    await stack.setConfig("docs:organizationId", "acme");
    await stack.setConfig("docs:token", bench.emulator.token, "--secret");
    done(await stack.up());
    done(await stack.refresh());
    const file = await stack.stateFile();
    expect(file).not.toContain("Hush hush");
    expect(file).not.toContain(bench.emulator.token);
    expect(file).toContain("site_");
    done(await stack.destroy());
  });
});

describe("the state of one site", () => {
  it("is under 2,500 bytes", async () => {
    const stack = await stackOf(
      program('new docs.Site("small", { title: "A small site", visibility: "public", published: true });'),
    );
    done(await stack.up());
    const [site] = await stack.resources();
    const bytes = Object.entries(site ?? {}).map(([part, value]) => ({
      part,
      bytes: JSON.stringify({ [part]: value }).length - 2,
    }));
    const total = JSON.stringify(site).length;
    process.stdout.write(
      `state of one site: ${total} bytes: ${bytes.map((one) => `${one.part} ${one.bytes}`).join(", ")}\n`,
    );
    expect(site?.id).toMatch(/^site_\w{20}$/);
    expect(total).toBeLessThan(2_500);
    done(await stack.destroy());
  });
});
