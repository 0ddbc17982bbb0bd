import type { Config } from "./config/config.ts";

/** Where a command writes. */
export interface Output {
  readonly write: (text: string) => unknown;
}

/** The streams and the environment that a program's commands share. */
export interface Surroundings {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The configuration from the option `--config` and the environment; the settings in `more` take precedence. */
  readonly config: (more?: Readonly<Record<string, string>>) => Config;
}
