import type { Progress } from "../access/discovery";
import type { ChangeRequest } from "../api/groups/change-requests";
import { getChangeRequestChanges, getChangeRequests } from "../lookups";
import type { Context } from "../run/context";
import { LinkReader } from "./links";
import type { OpenChangeRequest, OpenChangeRequests } from "./report";

const day = 86_400_000;

/** Reads the open change requests of the organization, or of one space, with their changes and broken links. */
export async function readReport(context: Context, spaceId?: string, progress?: Progress): Promise<OpenChangeRequests> {
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
