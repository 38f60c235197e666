import type { ShowProgress } from "../access/discovery";
import type { Client } from "../api/client";
import type { ChangeRequest } from "../api/groups/change-requests";
import type { Reference } from "../api/groups/content";
import type { ContentPage } from "../api/groups/revisions";
import type { SemanticChange } from "../api/groups/semantic-changes";
import { isNotFound } from "../api/http/errors";
import { getChangeRequestChanges, getChangeRequests } from "../lookups";
import type { Context } from "../run/context";
import type { BrokenLinks, OpenChangeRequest, OpenChangeRequests } from "./report";

const day = 86_400_000;

/** Reads the open change requests of the organization, or of one space, with their changes and broken links. */
export async function readReport(
  context: Context,
  spaceId?: string,
  progress?: ShowProgress,
): Promise<OpenChangeRequests> {
  const open = await getChangeRequests.read(context, { status: "open", spaceId });
  const links = new LinkReader(context.client);
  const asOf = context.client.now();
  let done = 0;
  const changeRequests = await Promise.all(
    open.map(async (one) => {
      const read = await readOne(context, one, links, asOf);
      done++;
      progress?.(done, open.length, "change requests");
      return read;
    }),
  );
  return {
    version: 1,
    organization: context.organizationId,
    ...(spaceId !== undefined && { space: spaceId }),
    asOf: asOf.toISOString(),
    links: links.isAvailable ? "checked" : "unavailable",
    changeRequests: changeRequests.sort(oldestFirst),
    pulled: [],
  };
}

async function readOne(context: Context, one: ChangeRequest, links: LinkReader, asOf: Date) {
  const ids = { spaceId: one.space, changeRequestId: one.id };
  const changes = await getChangeRequestChanges.read(context, ids);
  const brokenLinks = await links.findBroken(ids, changes);
  const { id, number, space, subject, createdBy, createdAt, updatedAt, outdated, comments, urls } = one;
  return {
    id,
    number,
    space,
    subject,
    ...(createdBy && { author: authorOf(createdBy) }),
    createdAt,
    updatedAt,
    ageDays: Math.max(0, Math.floor((asOf.getTime() - Date.parse(createdAt)) / day)),
    outdated,
    comments,
    ...(urls?.app !== undefined && { url: urls.app }),
    changes,
    ...(brokenLinks && { brokenLinks }),
  };
}

function authorOf({ id, displayName, email }: NonNullable<ChangeRequest["createdBy"]>) {
  return { id, name: displayName, ...(email !== undefined && { email }) };
}

const oldestFirst = (a: OpenChangeRequest, b: OpenChangeRequest): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || a.space.localeCompare(b.space) || a.number - b.number;

interface Ids {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

type PageInfo = Extract<SemanticChange, { type: "page_created" }>["page"];

const mostTargets = 10;

/** Finds links that change requests break, for one report. */
class LinkReader {
  /** False once the service has answered that it has no links. */
  isAvailable = true;

  constructor(private readonly client: Client) {}

  /** The pages whose links break; `undefined` if this version of the service has no links. */
  async findBroken(ids: Ids, changes: readonly SemanticChange[]): Promise<BrokenLinks[] | undefined> {
    if (!this.isAvailable) return undefined;
    const pages = changes.some(canBreakOthers) ? await this.listPages(ids) : changedPages(changes);
    // A group of pages has no text, and so no links.
    const [first, ...others] = pages.filter(({ type }) => type !== "group");
    if (!first) return [];
    // A service without links answers 404 to the first page, and is not asked for the others.
    const inFirst = await this.brokenLinksOf(ids, first);
    const inOthers = await Promise.all(others.map((page) => this.brokenLinksOf(ids, page)));
    return this.isAvailable ? [...inFirst, ...inOthers.flat()] : undefined;
  }

  private async listPages(ids: Ids): Promise<PageInfo[]> {
    const { pages } = await this.client.listContentPages({ ...ids, query: { metadata: false } });
    return pages.flatMap(withNested);
  }

  /** Each link repeats the whole revision, so only the numbers are read unless there are broken links. */
  private async brokenLinksOf(ids: Ids, page: PageInfo): Promise<BrokenLinks[]> {
    if (!this.isAvailable) return [];
    const { id: pageId, title, path } = page;
    try {
      const { stats } = await this.client.listPageLinks({ ...ids, pageId, query: { limit: 1 } });
      const { total, changeRequest } = stats.broken;
      // If the service does not say how many are new, all count.
      const broken = changeRequest ?? total;
      if (broken === 0) return [];
      const targets = await this.targetsIn(ids, pageId);
      return [{ page: { id: pageId, title, ...(path !== undefined && { path }) }, broken, total, targets }];
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.noteAvailability(ids, page);
      return [];
    }
  }

  private async targetsIn(ids: Ids, pageId: string): Promise<string[]> {
    const targets: string[] = [];
    for await (const { status, targetReference } of this.client.listPageLinks({ ...ids, pageId })) {
      if (status === "broken" && targetReference) targets.push(describeTarget(targetReference));
      if (targets.length === mostTargets) break;
    }
    return targets;
  }

  /** A 404 to the links of a document page that exists means that the service has no links; otherwise, the page is gone. */
  private async noteAvailability(ids: Ids, { id: pageId, type }: PageInfo): Promise<void> {
    if (type !== "document") return;
    try {
      await this.client.getContentPage({ ...ids, pageId, query: { metadata: false } });
      this.isAvailable = false;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Attributes of a page that are part of its address. */
const addressed = ["slug", "path"];

/** Whether links on unchanged pages may lead nowhere after the change. */
function canBreakOthers(change: SemanticChange): boolean {
  if (change.type === "page_edited") return addressed.some((name) => name in change.attributes);
  return ["page_deleted", "page_moved", "file_deleted", "reusable_content_deleted"].includes(change.type);
}

function changedPages(changes: readonly SemanticChange[]): PageInfo[] {
  const pages = changes.flatMap((change) =>
    change.type === "page_created" || change.type === "page_edited" ? [[change.page.id, change.page] as const] : [],
  );
  return [...new Map(pages).values()];
}

function withNested(page: ContentPage): PageInfo[] {
  const { id, type, title } = page;
  const info = { id, type, title, ...("path" in page && { path: page.path }) };
  return [info, ...("pages" in page ? page.pages.flatMap(withNested) : [])];
}

function describeTarget(target: Reference): string {
  if (target.kind === "url") return target.url;
  if (target.kind === "page") return target.page.title;
  if (target.kind === "file") return target.file.name;
  if (target.kind === "space") return target.space.title;
  if (target.kind === "reusable-content") return target.reusableContent.title;
  return target.kind === "user" ? target.user.displayName : target.kind;
}
