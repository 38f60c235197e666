/** What `docs-org change-requests` does, loaded when the command runs. */
export { DocsError } from "../api/http/errors";
export { findMet, findUnanswered, parseCondition } from "./conditions";
export { formats } from "./formats";
export { savePdfs } from "./pdf";
export { outdatedIn, pullInto } from "./pull";
export { readReport } from "./read";
