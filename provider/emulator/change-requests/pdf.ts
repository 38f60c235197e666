import { type Answer, notFound } from "../http/errors";
import type { Service } from "../store/service";

/** PDFs have addresses without a token, like those of a file store: only who got the address knows it. */
export function pdfAddress({ url, secret }: Service, page: string | undefined): string {
  const query = new URLSearchParams(page === undefined ? {} : { page });
  return `${url}/pdf/${secret}.pdf?${query}`;
}

/** The PDF at an address: an empty page of A4. */
export function pdfAt(path: string, { secret }: Service): Answer {
  if (path !== `/pdf/${secret}.pdf`) throw notFound("PDF", path);
  return { status: 200, headers: { "content-type": "application/pdf" }, body: emptyPage };
}

const emptyPage = [
  "%PDF-1.4",
  "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
  "2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj",
  "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >> endobj",
  "trailer << /Size 4 /Root 1 0 R >>",
  "%%EOF\n",
].join("\n");
