import type { Config } from "./config/config.ts";

/** Where a command writes. */
export interface Output {
  readonly write: (text: string) => unknown;
}

/** The streams and the environment that the commands of a program share. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The configuration that the option `--config` and the environment give; `more` settings take precedence. */
  readonly config: (more?: Readonly<Record<string, string>>) => Config;
}
