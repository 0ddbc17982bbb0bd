import type { LaunchOptions, SpeakerOptions } from "../visit-options.ts";

export interface PinOptions extends LaunchOptions, SpeakerOptions {
  readonly name?: string;
  readonly replace: boolean;
  readonly allowUnstable: readonly string[];
  /** Whether servers are pinned although others could not be read. */
  readonly keepGoing: boolean;
  readonly format: "text" | "json";
}
