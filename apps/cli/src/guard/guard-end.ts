/** The end of a guard. */
export interface GuardEnd {
  readonly exitCode: number;
  /** The signal that requested the end; the process ends with this signal once its record is complete. */
  readonly signal: NodeJS.Signals | undefined;
}
