import type { RowName } from "../../api/endpoints";

export interface LoggedRequest {
  readonly row: RowName;
  readonly method: string;
  /** Path as sent: percent-encoded, without the query. */
  readonly path: string;
  readonly query: Record<string, unknown>;
  /** Body as parsed from JSON, before any check. */
  body: unknown;
  /** Status of the answer; 0 until it is sent, and if the connection was reset. */
  status: number;
  /** Time of arrival, ISO 8601. */
  readonly at: string;
}

const mostEntries = 10_000;

export class RequestLog {
  readonly entries: LoggedRequest[] = [];
  private counts = new Map<RowName, number>();

  add(request: LoggedRequest): LoggedRequest {
    this.counts.set(request.row, (this.counts.get(request.row) ?? 0) + 1);
    this.entries.push(request);
    if (this.entries.length > mostEntries) this.entries.shift();
    return request;
  }

  requests(): Partial<Record<RowName, number>> {
    return Object.fromEntries(this.counts);
  }

  reset(): Partial<Record<RowName, number>> {
    const counted = this.requests();
    this.counts = new Map();
    this.entries.length = 0;
    return counted;
  }
}
