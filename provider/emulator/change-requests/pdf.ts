import { createHmac, timingSafeEqual } from "node:crypto";
import { forbidden, notFound } from "../http/errors";
import { indexOf, walk } from "../spaces/pages";
import type { RevisionRecord } from "../spaces/record";
import type { Service } from "../store/service";
import { documentOf } from "./pdf-document";

/** PDFs have addresses without a token, like those of a file store: the address is signed and valid for an hour. */
const hour = 3_600_000;

interface Asked {
  readonly spaceId: string;
  readonly revision: string;
  readonly page?: string | undefined;
  readonly only?: boolean;
}

export function pdfAddress(service: Service, { spaceId, revision, page, only }: Asked): string {
  const path = `/pdf/${encodeURIComponent(spaceId)}/${encodeURIComponent(revision)}.pdf`;
  const validUntil = new Date(service.now().getTime() + hour).toISOString();
  const query = new URLSearchParams({ ...(page !== undefined && { page }), ...(only && { only: "true" }), validUntil });
  return `${service.url}${path}?${query}&signature=${signatureOf(`${path}?${query}`, service)}`;
}

/** The PDF at an address; throws a 403 unless the emulator has signed it, or if it has expired. */
export function pdfAt(address: string, service: Service): Buffer {
  const [, signed = "", signature = ""] = /^(.*)&signature=(.*)$/.exec(address) ?? [];
  if (!isSame(signature, signatureOf(signed, service))) throw forbidden("the signature of the address is wrong");
  const { pathname, searchParams } = new URL(signed, service.url);
  const validUntil = searchParams.get("validUntil") ?? "";
  if (Date.parse(validUntil) < service.now().getTime()) throw forbidden(`the address was valid until ${validUntil}`);
  const [spaceId = "", file = ""] = pathname.split("/").slice(2).map(decodeURIComponent);
  const found = revisionIn(service, spaceId, file.replace(/\.pdf$/, ""));
  return documentOf(titlesIn(found, searchParams.get("page") ?? undefined, searchParams.has("only")));
}

const signatureOf = (text: string, { secret }: Service): string =>
  createHmac("sha256", secret).update(text).digest("hex");

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

function revisionIn({ state }: Service, spaceId: string, id: string): RevisionRecord {
  for (const { spaces } of state.organizations.values()) {
    const revision = spaces.get(spaceId)?.revisions.get(id);
    if (revision) return revision;
  }
  throw notFound("revision", id);
}

/** All pages; with `page`, it and the pages below it; with `only`, it alone. */
function titlesIn({ content }: RevisionRecord, page: string | undefined, only: boolean): string[] {
  const placed = page === undefined ? undefined : indexOf(content).pages.get(page);
  if (!placed) return [...walk(content.pages)].map((one) => one.page.title);
  return [placed.page, ...(only ? [] : [...walk(placed.page.pages)].map((one) => one.page))].map(({ title }) => title);
}
