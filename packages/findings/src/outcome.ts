/**
 * The outcome of a check: nothing differs, something differs, or something could not be read.
 *
 * `unknown` takes precedence over `drift`, because `drift` says that all differences are known.
 */
export type Outcome = "same" | "drift" | "unknown";

/**
 * A command's exit code for each outcome of its report.
 *
 * @example
 * ```ts
 * import { EXIT } from "@agentprint/findings";
 *
 * EXIT["drift"]; // 1
 * ```
 */
export const EXIT: Readonly<Record<Outcome, ExitCode>> = /* @__PURE__ */ Object.freeze({
  /** Done; nothing differs. */
  same: 0,
  /** A difference was found. */
  drift: 1,
  /**
   * The command could not tell: wrong usage, unreadable input, a server that failed, or a defect in the command itself.
   */
  unknown: 2,
});

/** One of a command's three exit codes; {@link EXIT} names them. */
export type ExitCode = 0 | 1 | 2;
