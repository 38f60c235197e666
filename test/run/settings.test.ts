import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Settings } from "../../provider/run/settings";

const environment = { ...process.env };
let settings: Settings;
const configured = (values: Record<string, string>) => settings.configure((key) => values[key]);

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith("DOCS_")) delete process.env[name];
  settings = new Settings();
});
afterEach(() => {
  process.env = { ...environment };
});

describe("settings", () => {
  it("are taken from the environment, otherwise from the configuration", () => {
    configured({ "docs:baseUrl": "https://configured.test", "docs:organizationId": "org_configured" });
    expect(settings.target()).toEqual({ baseUrl: "https://configured.test", organizationId: "org_configured" });
    process.env.DOCS_BASE_URL = "https://environment.test";
    process.env.DOCS_ORGANIZATION_ID = "org_environment";
    expect(settings.target()).toEqual({ baseUrl: "https://environment.test", organizationId: "org_environment" });
  });

  it("count as missing if they are empty, and may have surrounding spaces", () => {
    configured({ "docs:baseUrl": " https://configured.test \n" });
    process.env.DOCS_BASE_URL = "  ";
    expect(settings.requiredBaseUrl().value).toBe("https://configured.test");
  });

  it.each([
    [() => settings.requiredBaseUrl(), "no address"],
    [() => settings.requiredOrganizationId(), "no organization"],
    [() => settings.requiredToken("org_1"), "no token"],
  ])("that are missing are named with both places", (read, title) => {
    expect(read).toThrow(expect.toHaveWording(title));
  });
});

it("are all named at once if they are missing, and no others", () => {
  expect(() => settings.requireFor(undefined)).toThrow(/DOCS_BASE_URL[\s\S]*DOCS_ORGANIZATION_ID[\s\S]*DOCS_TOKEN/);
  process.env.DOCS_BASE_URL = "https://docs.test";
  process.env.DOCS_TOKEN_ORG_1 = "own";
  expect(() => settings.requireFor(undefined)).toThrow(expect.toHaveWording("no organization"));
  expect(() => settings.requireFor("org_1")).not.toThrow();
  process.env.DOCS_BASE_URL = "http://docs.test";
  expect(() => settings.requireFor("org_1")).toThrow(expect.toHaveWording("an address without https"));
});

it("refuse a clock that is no time", () => {
  process.env.DOCS_NOW = "tomorrow";
  expect(() => settings.now()).toThrow(expect.toHaveWording("a clock that is no time"));
});

describe("the token of an organization", () => {
  const all = { "docs:token": "common", "docs:tokens": '{"org-1":"own"}' };

  it("is its own token, from any source, before the common one", () => {
    configured(all);
    process.env.DOCS_TOKEN = "common-of-the-environment";
    expect(settings.requiredToken("org-1")).toEqual({ value: "own", source: "docs:tokens" });
    process.env.DOCS_TOKEN_ORG_1 = "own-of-the-environment";
    expect(settings.requiredToken("org-1")).toEqual({ value: "own-of-the-environment", source: "DOCS_TOKEN_ORG_1" });
  });

  it("is otherwise the common one, of the environment first", () => {
    configured(all);
    expect(settings.requiredToken("org-2")).toEqual({ value: "common", source: "docs:token" });
    process.env.DOCS_TOKEN = "common-of-the-environment";
    expect(settings.requiredToken("org-2")).toEqual({ value: "common-of-the-environment", source: "DOCS_TOKEN" });
  });

  it.each(["two words", "line\nbreak", "ü", "x".repeat(200_000)])(
    "that cannot be sent is refused by its source",
    (token) => {
      configured({ "docs:tokens": JSON.stringify({ "org-1": token }) });
      expect(() => settings.requiredToken("org-1")).toThrow(/^docs:tokens: the token .*; set it again$/);
    },
  );

  it("is asked for without an id that a shell could take for more", () => {
    configured({ "docs:organizationId": "org-1" });
    expect(() => settings.requiredToken("x'; rm -r ~; '")).toThrow(/--path 'docs:tokens\["org_id"\]' \.\.\.$/);
  });

  it.each(["not json", "[]", '"text"', '{"org-1":5}', "null"])(
    "is not found in %s, and the value is not shown",
    (text) => {
      configured({ "docs:tokens": text });
      const read = () => settings.requiredToken("org-1");
      expect(read).toThrow(expect.toHaveWording("tokens that are no object"));
      expect(read).not.toThrow(text);
    },
  );
});
