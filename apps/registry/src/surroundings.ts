import type { Config } from "./config/config.ts";

/** Where a command writes. */
export interface Output {
  readonly write: (text: string) => unknown;
}

/** The streams and the environment that the commands of a program share. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The configuration from the option `--config` and the environment; `more` settings take precedence. */
  readonly config: (more?: Readonly<Record<string, string>>) => Config;
}
