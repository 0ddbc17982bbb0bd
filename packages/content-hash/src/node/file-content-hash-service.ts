import { checkArgument } from "../check-argument.ts";
import { type ContentHashService, createContentHashService } from "../content-hash-service.ts";
import type { NormalizationLevel } from "../levels.ts";
import { type ComputeFileHashOptions, computeFileHash } from "./compute-file-hash.ts";

/** A content hash service that can also read files. Specification: 1 "Purpose". */
export interface FileContentHashService extends ContentHashService {
  /** Returns the SHA-256 of a file's normalized content, as 64 lowercase hex digits. */
  computeFileHash(fullPath: string, options?: Omit<ComputeFileHashOptions, "level">): Promise<string>;
}

/**
 * Returns a service that hashes texts and files at a fixed level.
 *
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when the level does not exist.
 *
 * @example
 * ```ts
 * import { createFileContentHashService } from "@agentprint/content-hash/node";
 *
 * const service = createFileContentHashService({ level: "eol" });
 * console.log((await service.computeFileHash("README.md")).length); // 64
 * ```
 */
export function createFileContentHashService(options: { level?: NormalizationLevel } = {}): FileContentHashService {
  checkArgument("options", options, "object");
  const { level = "whitespace" } = options;
  return {
    ...createContentHashService({ level }),
    computeFileHash: (fullPath, fileOptions) => computeFileHash(fullPath, { ...fileOptions, level }),
  };
}
