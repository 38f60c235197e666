import { jsonOf } from "../text/json";
import { htmlOf, type Table } from "./html/html";
import { markdownOf } from "./markdown";
import type { Report } from "./report";
import { textOf } from "./text";

/** How a command prints what it reports. The JSON is the whole source. */
export function formatsOf<Source>(
  reportOf: (source: Source) => Report,
  tableOf: (source: Source) => Table | undefined = () => undefined,
) {
  const filledReport = (source: Source): Report => {
    const { sections, ...report } = reportOf(source);
    return { ...report, sections: sections.filter(({ entries }) => entries.length > 0) };
  };
  return {
    text: (source: Source): string => textOf(filledReport(source)),
    markdown: (source: Source): string => markdownOf(filledReport(source)),
    html: (source: Source): string => htmlOf(filledReport(source), tableOf(source)),
    json: (source: Source): string => jsonOf(source),
  };
}
