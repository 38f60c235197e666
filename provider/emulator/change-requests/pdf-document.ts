/** Lines on one page of A4 with the size of text below. */
const linesOnPage = 50;

/** A PDF with these lines. Its font has the characters of Latin-1; others become question marks. */
export function documentOf(lines: readonly string[]): Buffer {
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
