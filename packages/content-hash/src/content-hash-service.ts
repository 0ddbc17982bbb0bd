import { checkArgument } from "./check-argument.ts";
import { computeTextHash } from "./compute-text-hash.ts";
import { checkLevel, type NormalizationLevel } from "./levels.ts";

/** Decides how text is hashed. The tool calls a service for each hash. Specification: 1 "Purpose". */
export interface ContentHashService {
  /** Returns the SHA-256 of the normalized content, as 64 lowercase hex digits. */
  computeTextHash(content: string): string;
}

/**
 * Returns a service that hashes at a fixed level. The `./node` entry also exports a version that can hash files.
 *
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { createContentHashService } from "@agentprint/content-hash";
 *
 * const service = createContentHashService();
 * console.log(service.computeTextHash("a  b") === service.computeTextHash("a\n\tb")); // true
 * ```
 */
export function createContentHashService(options: { level?: NormalizationLevel } = {}): ContentHashService {
  checkArgument("options", options, "object");
  const { level = "whitespace" } = options;
  checkLevel(level);
  return { computeTextHash: (content) => computeTextHash(content, level) };
}
