import { Option } from "commander";

/** Collects the values of a repeatable option. */
export const several = (value: string, before: readonly string[] = []): string[] => [...before, value];

export const stackOption = [
  "--stack <name>",
  "stack that records what is managed, such as main or ORGANIZATION/PROJECT/main of a service",
  "main",
] as const;

/** The formats of a review. */
export const reviewFormats = ["text", "markdown", "html", "json"] as const;
export type ReviewFormat = (typeof reviewFormats)[number];

/** The formats of an audit. */
export const auditFormats = ["markdown", "html", "json"] as const;
export type AuditFormat = (typeof auditFormats)[number];

export const formatOption = (formats: readonly string[], usual: string): Option =>
  new Option("--format <format>", "output format").choices(formats).default(usual);
