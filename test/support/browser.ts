import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { noBrowser } from "../../scripts/browser";

export interface Opened {
  readonly page: Page;
  /** Actions that a static page must not perform: requests, dialogs, errors, windows. */
  readonly deeds: readonly string[];
}

/** A Chromium that opens pages from files and records their actions. */
export class PageViewer {
  /** One for each kind of options, because a new one starts processes. */
  private readonly contexts = new Map<string, Promise<BrowserContext>>();
  /** Those of the current test, and those that a next one with the same options gets: each new page starts a process. */
  private pages: { readonly key: string; readonly page: Page }[] = [];
  private idle: typeof this.pages = [];
  private count = 0;

  private constructor(
    private readonly browser: Browser,
    private readonly folder: string,
  ) {}

  static async start(executablePath: string | undefined): Promise<PageViewer> {
    if (executablePath === undefined) throw new Error(noBrowser);
    // Chromium has no sandbox for root.
    const chromiumSandbox = process.getuid?.() !== 0;
    // All pages are files, which then share a process.
    const browser = await chromium.launch({ executablePath, chromiumSandbox, args: ["--process-per-site"] });
    return new PageViewer(browser, await mkdtemp(path.join(tmpdir(), "docs-org-page-")));
  }

  async open(html: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const key = JSON.stringify(options);
    const context = await (this.contexts.get(key) ?? this.startContext(key, options));
    const file = path.join(this.folder, `${++this.count}.html`);
    await writeFile(file, html);
    const { href } = pathToFileURL(file);
    const at = this.idle.findIndex((one) => one.key === key);
    const [used] = at < 0 ? [] : this.idle.splice(at, 1);
    const page = used?.page ?? (await context.newPage());
    this.pages.push({ key, page });
    const deeds = watched(page, href);
    await page.route(
      (url) => url.href.split("#")[0] !== href,
      (route) => route.abort(),
    );
    await page.goto(href);
    return { page, deeds };
  }

  private startContext(key: string, options: BrowserContextOptions): Promise<BrowserContext> {
    const context = this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    this.contexts.set(key, context);
    return context;
  }

  async clear(): Promise<void> {
    for (const { page } of this.pages) {
      page.removeAllListeners();
      await page.unrouteAll();
      await page.emulateMedia({ media: null });
    }
    this.idle.push(...this.pages.splice(0));
  }

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function watched(page: Page, own: string): string[] {
  const deeds: string[] = [];
  page.on("request", (request) => {
    if (request.url() !== own) deeds.push(`request ${request.url()}`);
  });
  page.on("websocket", (socket) => deeds.push(`request ${socket.url()}`));
  page.on("dialog", (dialog) => {
    deeds.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", ({ message }) => deeds.push(`error ${message}`));
  // Requests blocked by the page's policy are recorded here as attempts.
  page.on("console", (message) => deeds.push(`console ${message.text()}`));
  page.on("popup", () => deeds.push("popup"));
  page.on("download", (download) => deeds.push(`download ${download.url()}`));
  return deeds;
}
