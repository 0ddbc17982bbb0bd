/** The formats in which a report can be written. */
export const FORMATS: readonly ["text", "json", "markdown", "sarif", "junit", "github", "gitlab"] = Object.freeze([
  "text",
  "json",
  "markdown",
  "sarif",
  "junit",
  "github",
  "gitlab",
] as const);

/** One of {@link FORMATS}. */
export type ReportFormat = (typeof FORMATS)[number];
