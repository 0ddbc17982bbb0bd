import type { VisitOptions } from "../visit-options.ts";

export interface PinOptions extends VisitOptions {
  readonly name?: string;
  readonly replace: boolean;
  /** The server whose entry an older version wrote. */
  readonly renew?: string;
  readonly allowUnstable: readonly string[];
  readonly concurrency: number;
  readonly yes: boolean;
  readonly format: "text" | "json";
}
