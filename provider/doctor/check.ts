export interface Check {
  readonly name: string;
  /** `skipped` if an earlier check failed that this one needs; `note` for what may be intended. */
  readonly status: "ok" | "note" | "wrong" | "skipped";
  /** What was found; if it is wrong, also how to fix it. */
  readonly text: string;
}

export const ok = (name: string, text: string): Check => ({ name, status: "ok", text });
export const note = (name: string, text: string): Check => ({ name, status: "note", text });
export const wrong = (name: string, text: string): Check => ({ name, status: "wrong", text });
export const skippedCheck = (name: string, text: string): Check => ({ name, status: "skipped", text });
