/** The environment in which a launch is started. */
export interface Surroundings {
  /** The folder of the launch. */
  readonly cwd: string;
  /** A folder of the same project, such as the lock's. */
  readonly project?: string;
  /** All variables that the launch's process gets, and no others. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}
