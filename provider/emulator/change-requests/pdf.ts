import { createHmac, timingSafeEqual } from "node:crypto";
import { forbidden, notFound } from "../http/errors";
import { indexOf, walk } from "../spaces/pages";
import type { RevisionRecord } from "../spaces/record";
import type { Service } from "../store/service";

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

/** Lines on one page of A4 with the size of text below. */
const linesOnPage = 50;

/** A PDF with these lines. Its font has the characters of Latin-1; others become question marks. */
function documentOf(lines: readonly string[]): Buffer {
  const pages: string[] = [];
  for (let at = 0; at === 0 || at < lines.length; at += linesOnPage)
    pages.push(textOf(lines.slice(at, at + linesOnPage)));
  return fileOf(objectsOf(pages));
}

const textOf = (lines: readonly string[]): string =>
  `BT /F1 11 Tf 14 TL 56 780 Td ${lines.map((line) => `(${escaped(line)}) Tj T*`).join(" ")} ET`;

const escaped = (line: string): string => line.replace(/[^\x20-\x7e\xa0-\xff]/gu, "?").replace(/[\\()]/g, "\\$&");

/** Objects by number: the catalog, the list of pages, the font, then each page and its text. */
function objectsOf(texts: readonly string[]): string[] {
  const pages = texts.map((_, index) => 4 + 2 * index);
  return [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((number) => `${number} 0 R`).join(" ")}] >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ...texts.flatMap((text, index) => [
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> " +
        `/Contents ${5 + 2 * index} 0 R >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ]),
  ];
}

/** The file ends with a table of the offset of each object. */
function fileOf(objects: readonly string[]): Buffer {
  let body = "%PDF-1.4\n";
  const entries = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  return Buffer.from(
    `${body}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    "latin1",
  );
}
