import type { JobError } from "../jobs/job.ts";

/** Returns an error as the page shows it: a message, and the package's code if there is one. */
export function describeError(error: unknown): JobError {
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown };
  return { message: String(message ?? error), ...(typeof code === "string" && { code }) };
}
