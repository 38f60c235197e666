import type { RowName } from "../../api/endpoints";

/** A request that came in for a row. */
export interface LoggedRequest {
  readonly row: RowName;
  readonly method: string;
  /** Path as it was sent, percent-encoded and without the query. */
  readonly path: string;
  readonly query: unknown;
  /** Body as it was parsed from JSON, before any check. */
  body: unknown;
  /** Status of the answer; 0 while there is none, and for ever when the connection was reset. */
  status: number;
  /** Time of arrival. */
  readonly at: string;
}

const mostEntries = 10_000;

/** Counts requests by row, and remembers the last ones. */
export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  private counts = new Map<RowName, number>();

  add(request: LoggedRequest): LoggedRequest {
    this.counts.set(request.row, (this.counts.get(request.row) ?? 0) + 1);
    this.entries.push(request);
    if (this.entries.length > mostEntries) this.entries.shift();
    return request;
  }

  /** How often each row was asked for; rows that were not are missing. */
  requests(): Partial<Record<RowName, number>> {
    return Object.fromEntries(this.counts);
  }

  reset(): void {
    this.counts = new Map();
    this.entries.length = 0;
  }
}
