import type { Outcome } from "./report.ts";

/**
 * The exit code of a command for each outcome of its report.
 *
 * @example
 * ```ts
 * import { EXIT } from "@agentprint/report";
 *
 * EXIT["drift"]; // 1
 * ```
 */
export const EXIT: Readonly<Record<Outcome, ExitCode>> = Object.freeze({
  /** Done; nothing differs. */
  same: 0,
  /** A difference was found. */
  drift: 1,
  /** Could not tell: wrong usage, unreadable input, a server that failed, or a defect of the command itself. */
  unknown: 2,
});

/** One of the three answers of a command; {@link EXIT} names them. */
export type ExitCode = 0 | 1 | 2;
