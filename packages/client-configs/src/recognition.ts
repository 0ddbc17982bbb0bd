/** A launch as an entry in a configuration writes it. */
export interface WrittenLaunch {
  /** The program and its arguments; empty if the entry has only a URL. */
  readonly command: readonly string[];
  readonly url: string | undefined;
  readonly cwd: string | undefined;
  /** The names of the variables that the entry sets or passes on. */
  readonly variables: readonly string[];
  /** A file with further variables. */
  readonly envFile?: string | undefined;
}

/** The guard in front of a server, the reason why an apparent guard is not recognized, or neither of these. */
export type Recognition =
  | { readonly guardedAs: string; readonly words?: number; readonly url?: string }
  | { readonly notGuarded: string }
  | undefined;

/** Decides whether an entry in a configuration starts a guard. */
export type RecognizeGuard = (launch: WrittenLaunch) => Recognition;
