/** The changes of a preview for people, as an API for programs. It does not need the Pulumi SDK. */

export type { Plan, PlannedAccess, PlannedResource } from "../access/plan-file";
export type { GrantTerms } from "../access-plan/input";
export type { Place } from "../access-plan/place";
export type { PropertyChange, Severity } from "../lifecycle/review";
export type { Message } from "../report/report";
export type { Evidence } from "../run/evidence";
export type { SafeText, Value } from "../text/safe-text";
export type { Access, Cause, Effect, PersonReview } from "./model/access";
export type { GrantEnd } from "./model/grant-ends";
export type { Moved } from "./model/moved-resources";
export { type Preview, readPreview } from "./model/preview";
export type { ResourceChange } from "./model/properties";
export type { Review, Verdict } from "./model/review";
export type { Risk } from "./model/risk";
export { planOf } from "./plan/plan";
export { htmlOf, markdownOf } from "./render/formats";
export { type ReviewOptions, reviewOf } from "./review";
