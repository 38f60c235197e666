import { words } from "../../text/words";
import type { Content } from "../model/review";
import { type Risk, risk } from "../model/risk";
import { placeWords } from "../model/sentences";

/** Grants that last longer, or give more afterwards. No access changes today, so no other section shows them. */
export function grantRisks({ grantEnds, teams }: Content): Risk[] {
  return grantEnds
    .filter(({ longer }) => longer)
    .map(({ id, name, place, before, after, level }) => {
      const where = words`the grant of ${name} (${placeWords(place, { teams, organizations: [] })})`;
      const severity = level === "admin" || after.then === "admin" ? "high" : "medium";
      const text =
        after.expires === undefined
          ? words`${where} no longer has an end (${before.expires ?? ""} until now)`
          : before.expires === undefined || after.expires === before.expires
            ? words`${where} becomes ${after.then ?? ""} after ${after.expires}${before.then === undefined ? words`` : words`, not ${before.then}`}`
            : words`${where} ends on ${after.expires} instead of ${before.expires ?? ""}`;
      return risk("grant-extended", severity, id, text);
    });
}
