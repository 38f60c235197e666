import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "../api/client";
import { download } from "../api/http/download";
import { DocsError } from "../api/http/errors";
import { namesOf } from "../export/draft";
import { publish, refuseExisting, writeInStaging } from "../export/files";
import type { OpenChangeRequest, OpenChangeRequests } from "./report";

interface Options {
  readonly folder: string;
  readonly force: boolean;
  /** Milliseconds for one download. */
  readonly deadline: number | undefined;
}

/** Saves each change request as a PDF. Every file is complete before the first one is moved to its place. */
export async function savePdfs(client: Client, { changeRequests }: OpenChangeRequests, options: Options) {
  const { folder, force, deadline } = options;
  const files = filesOf(changeRequests);
  const names = files.map(({ name }) => name);
  refuseExisting(folder, names, force);
  await writeInStaging(folder, async (staging) => {
    for (const { name, one } of files) writeFileSync(join(staging, name), await readPdf(client, one, deadline));
    publish(staging, folder, names);
  });
  return names;
}

/** `guides-12-explain-rollback.pdf`: space, number and subject. */
function filesOf(changeRequests: readonly OpenChangeRequest[]) {
  const titled = changeRequests.map((one) => {
    return { id: one.id, title: `${one.space} ${one.number} ${one.subject}`, one };
  });
  const names = namesOf(titled, "change-request");
  return titled.map(({ id, one }) => ({ name: `${names.get(id)}.pdf`, one }));
}

/** The address is asked for right before the download, because it is valid for one hour only. */
async function readPdf(client: Client, { id, number, space }: OpenChangeRequest, deadline?: number): Promise<Buffer> {
  const { url } = await client.getChangeRequestPdf({ spaceId: space, changeRequestId: id });
  const attempted = `download the PDF of change request ${number} of space ${space}`;
  const file = await download({ url, attempted, deadline });
  if (file.subarray(0, 5).toString("latin1") === "%PDF-") return file;
  throw new DocsError(`could not ${attempted}: the answer is not a PDF`);
}
