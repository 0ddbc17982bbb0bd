/** The end of a guard. */
export interface GuardEnd {
  readonly exitCode: number;
  /** The signal that requested it: the process ends with it when its record is complete. */
  readonly signal: NodeJS.Signals | undefined;
}
