/** The end of a guard. */
export interface GuardEnd {
  readonly exitCode: number;
  /** The signal that asked for it: the process ends by it when its record is complete. */
  readonly signal: NodeJS.Signals | undefined;
}
