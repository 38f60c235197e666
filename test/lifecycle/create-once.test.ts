import { afterEach, describe, expect, it, vi } from "vitest";
import type { RowName } from "../../provider/api/endpoints";
import type { ResourceName } from "../../provider/resources/names";
import type { Properties } from "../../provider/run/properties";
import { failureOf } from "../support/failure";
import { shortenPauses } from "../support/fast-timers";
import { cutConnection, type Exchange } from "../support/lying-service";
import { SeededService } from "../support/seeded-service";

/** Whether a creation has made something new is judged by the id, which a list may have omitted, and by the time of creation. */

shortenPauses(200);

interface Subject {
  readonly create: RowName;
  readonly list: RowName;
  readonly read: RowName;
  readonly declares: Properties;
  /** What makes an object look like the one that is declared, and what makes it another one. */
  readonly looks: Properties;
  readonly differs: Properties;
}

const subjects: Readonly<Partial<Record<ResourceName, Subject>>> = {
  Site: {
    create: "createSite",
    list: "listSites",
    read: "getSite",
    declares: { title: "Another" },
    looks: { title: "Another" },
    differs: { title: "another" },
  },
  SamlProvider: {
    create: "createSamlProvider",
    list: "listSamlProviders",
    read: "getSamlProvider",
    declares: { label: "Another" },
    looks: { label: "Another" },
    differs: { label: "another" },
  },
  Translation: {
    create: "createTranslation",
    list: "listTranslations",
    read: "getTranslation",
    declares: { source: { space: "guides", language: "en" }, language: "el" },
    looks: { source: { space: "guides", language: "en" }, language: "el" },
    differs: { source: { space: "guides", language: "en" }, language: "EL" },
  },
};

const hour = 3_600_000;
const service = new SeededService();
let tests = 0;

const create = (name: ResourceName, { declares }: Subject) => service.handler(name).create(declares);

type Listed = { readonly items: readonly object[] };
type How = "answers with it" | "gets no answer";

/** An object that is this old and looks like the one to be created; the list omits it so many times. */
function existing({ create, list, read, looks }: Subject, age: number, omissions: number, how: How): void {
  tests++;
  const createdAt = new Date(Date.now() - age).toISOString();
  let shown: object | undefined;
  const disguised = ({ body }: { body: unknown }) => {
    const [first, ...others] = (body as Listed).items;
    // An id for each test: this process remembers what it took over in the earlier ones.
    shown = { ...first, ...looks, id: `old_${tests}`, createdAt };
    return [shown, ...others];
  };
  service.lying.on(read, async ({ forward }) => (shown ? { status: 200, body: shown } : forward()));
  service.lying.on(list, async ({ nth, forward }) => {
    const answer = await forward();
    const items = disguised(answer);
    return { ...answer, body: { ...Object(answer.body), items: nth > omissions ? items : items.slice(1) } };
  });
  service.lying.on(create, async ({ request, forward }: Exchange<RowName>) => {
    if (how === "gets no answer") return cutConnection;
    Object.assign(request, { method: "GET", body: undefined });
    return { status: 201, body: disguised(await forward())[0] };
  });
}

const samlProvider: Subject = {
  ...(subjects.SamlProvider as Subject),
  declares: { label: "Another", entityID: "urn:another" },
  looks: { label: "Another", entityID: "urn:another" },
  differs: { label: "Another", entityID: "urn:else" },
};

const cases = ([...Object.entries(subjects), ["SamlProvider", samlProvider]] as [ResourceName, Subject][]).map(
  ([name, subject]) => ({ name, subject }),
);

describe.each(cases)("a $name of last week", ({ name, subject }) => {
  it("is not created again, already at the preview if the list shows it then", async () => {
    const preview = () => service.handler(name).preview(undefined, subject.declares);
    await preview();
    service.anotherRun();
    existing(subject, 7 * 24 * hour, 0, "answers with it");
    const refusals = [await failureOf(preview()), await failureOf(create(name, subject))];
    expect(refusals.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ already exists: old_\d+ \(same .*DOCS_TAKE_OVER=old_\d+ /s),
      expect.stringMatching(/ already exists: old_\d+ \(the error of another/),
    ]);
    expect(service.lying.writes()).toEqual([]);
  });

  it("is no duplicate if its name differs, if only in case; and allowDuplicate creates a second one", async () => {
    existing({ ...subject, looks: subject.differs }, 7 * 24 * hour, 0, "gets no answer");
    await failureOf(create(name, subject));
    existing(subject, 7 * 24 * hour, 0, "gets no answer");
    await failureOf(service.handler(name).create({ ...subject.declares, allowDuplicate: true }));
    expect(service.lying.writes().length).toBeGreaterThan(1);
  });
});

it("takes over a named site for one of two resources that look like it", async () => {
  const declared = { title: "Another" };
  const { id } = await service.handler("Site").create(declared);
  service.anotherRun();
  vi.stubEnv("DOCS_TAKE_OVER", id);
  const both = await Promise.all([1, 2].map(() => service.handler("Site").create(declared)));
  vi.unstubAllEnvs();
  expect(both.filter((one) => one.id === id)).toHaveLength(1);
});

describe.each(cases)("a $name of last week that the list omits", ({ name, subject }) => {
  it.each<[How, number]>([
    ["answers with it", Number.POSITIVE_INFINITY],
    ["answers with it", 1],
    ["gets no answer", 1],
  ])("is not what was created, if the creation %s and %d lists omit it", async (how, omissions) => {
    existing(subject, 7 * 24 * hour, omissions, how);
    const { message } = await failureOf(create(name, subject));
    expect(message).toMatch(/created nevertheless/);
    if (how === "answers with it") expect(message).toMatch(/existed before \(it was created at/);
    // Nothing was changed in it.
    expect(new Set(service.lying.writes().map(({ row }) => row))).toEqual(new Set([subject.create]));
  });
});

describe.each(cases)("the search for a lost $name", ({ name, subject }) => {
  const { create: creation, list } = subject;
  /** The list omits what the creation made, the answer of which is lost, until it was read so many times after it. */
  const lose = (omissions: number) => {
    let made: { readonly id?: string } | undefined;
    service.lying.on(creation, async ({ forward }) => {
      made = (await forward()).body;
      return cutConnection;
    });
    service.lying.on(list, async ({ nth, forward }) => {
      const { body, ...rest } = await forward();
      const items = (body as unknown as Listed).items.filter((one) => (one as typeof made)?.id !== made?.id);
      return { ...rest, body: nth > omissions + 1 ? body : { ...Object(body), items } };
    });
  };

  it.each([
    [0, 2],
    [30, 8],
  ])("with %i s to settle finds it after %i lists without it", async (seconds, omissions) => {
    process.env.DOCS_SETTLE = `${seconds}`;
    lose(omissions);
    expect((await create(name, subject)).id).toMatch(/./);
    expect(service.lying.requests(creation)).toHaveLength(1);
  });

  it("is followed by at most two more attempts, if nothing appears", async () => {
    service.lying.on(creation, () => cutConnection);
    expect((await failureOf(create(name, subject))).message).toMatch(/may have been created nevertheless/);
    expect(service.lying.requests(creation)).toHaveLength(3);
  });

  it("does not begin if the service has refused the creation, or answered with a new object", async () => {
    await create(name, subject);
    expect(service.lying.requests(list)).toHaveLength(1);
    service.anotherRun();
    service.lying.on(creation, () => ({ status: 403 }));
    await failureOf(service.handler(name).create({ ...subject.declares, allowDuplicate: true }));
    expect(service.lying.requests(list)).toHaveLength(1);
  });

  it("ends with the settle time if no list can be read, since the object may exist", async () => {
    service.lying.on(creation, () => cutConnection);
    service.lying.on(list, ({ nth }) => (nth > 1 ? { status: 403 } : undefined));
    expect((await failureOf(create(name, subject))).message).toMatch(/may have been created nevertheless/);
    expect(service.lying.requests(creation)).toHaveLength(1);
  });
});

it.each(cases)("a lost $name is found, although one search for it fails", async ({ name, subject }) => {
  service.lying.on(subject.list, ({ nth }) => (nth === 2 ? { status: 403 } : undefined));
  service.lying.on(subject.create, ({ forward }) => forward().then(() => cutConnection), 1);
  expect((await create(name, subject)).id).toMatch(/./);
  expect(service.lying.requests(subject.create)).toHaveLength(1);
});

it.each(["0", "30"])(
  "finds what a lost request made at the third search, with a settle time of %s s",
  async (settle) => {
    const [{ name, subject }] = cases as [(typeof cases)[0]];
    vi.stubEnv("DOCS_SETTLE", settle);
    service.anotherRun();
    service.lying.on(subject.create, ({ forward }) => forward().then(() => cutConnection));
    service.lying.on(subject.list, ({ nth }) => (nth === 2 || nth === 3 ? { status: 403 } : undefined));
    expect((await create(name, subject)).id).toMatch(/./);
    expect(service.lying.requests(subject.list)).toHaveLength(4);
    expect(service.lying.requests(subject.create)).toHaveLength(1);
  },
);

describe("the reason why a creation failed", () => {
  const [{ name, subject }] = cases as [(typeof cases)[0]];

  it.each([
    ["the service answered 503", { status: 503 }],
    ["the answer was lost", cutConnection],
  ])("is that %s, if several objects like it appeared meanwhile", async (reason, answer) => {
    service.lying.on(subject.create, async () => answer);
    service.lying.on(subject.list, async ({ nth, forward }) => {
      const { body, ...rest } = await forward();
      const [first, ...others] = (body as unknown as Listed).items;
      const alike = ["new_1", "new_2"].map((id) => ({
        ...first,
        ...subject.looks,
        id,
        createdAt: new Date().toISOString(),
      }));
      return { ...rest, body: { ...Object(body), items: nth > 1 ? [...alike, first, ...others] : [first, ...others] } };
    });
    const { message } = await failureOf(create(name, subject));
    expect(message.replace(reason, "REASON")).toHaveWording("a creation after which several objects appeared");
  });

  it("is a known object, whose age does not matter", async () => {
    service.lying.on(subject.create, async ({ request, forward }: Exchange<RowName>) => {
      Object.assign(request, { method: "GET", body: undefined });
      const [first] = ((await forward()).body as unknown as Listed).items;
      return { status: 201, body: { ...first, ...subject.looks } };
    });
    const { message } = await failureOf(create(name, subject));
    expect(message).toHaveWording("a creation that answers with a known object");
  });
});

describe("a clock of this machine", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([-26, -2, 2, 26])("that is %i hours off does not make a creation fail", async (hours) => {
    const [{ name, subject }] = cases as [(typeof cases)[0]];
    // The service has the right time.
    const now = Date.now();
    for (const row of [subject.create, subject.list]) {
      service.lying.on(row, async ({ forward }: Exchange<RowName>) => {
        const answer = await forward();
        answer.headers.date = new Date(now).toUTCString();
        if (answer.status === 201) Object.assign(Object(answer.body), { createdAt: new Date(now).toISOString() });
        return answer;
      });
    }
    vi.useFakeTimers({ toFake: ["Date"], now: now + hours * hour });
    expect((await create(name, subject)).id).toMatch(/./);
    expect(service.lying.requests(subject.list)).toHaveLength(1);
  });
});
