/** What a preview does to people, for programs; it needs nothing of Pulumi. */

export type { Access, Cause, Effect } from "./access";
export type { GrantEnd } from "./grant-ends";
export type { Place } from "./holdings";
export { htmlOf } from "./html";
export { markdownOf } from "./markdown";
export type { Moved } from "./moved";
export type { Note } from "./notes";
export { type Entry, type Plan, planOf } from "./plan";
export { type Preview, readPreview } from "./preview";
export type { PropertyChange, ResourceChange } from "./properties";
export { type Message, type PersonReview, type Review, type ReviewOptions, reviewOf } from "./review";
export type { Risk, Severity } from "./risks";
export type { SignIn } from "./sign-ins";
export type { Verdict } from "./verdict";
export type { Value, Words } from "./words";
