/** A process of a visited server that could not be ended. */
export interface Survivor {
  readonly pid: number;
  /** The command line as the system shows it; this text is untrusted. */
  readonly command: string;
}
