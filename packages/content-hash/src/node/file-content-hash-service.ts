import { checkArgument } from "../check-argument.ts";
import { type ContentHashService, createContentHashService } from "../content-hash-service.ts";
import type { NormalizationLevel } from "../levels.ts";
import { type ComputeFileHashOptions, computeFileHash } from "./compute-file-hash.ts";

/** A content hash service that reads files too. Specification: 1 "Purpose". */
export interface FileContentHashService extends ContentHashService {
  /** Returns the SHA-256 of the normalized content of a file, 64 lowercase hex digits. */
  computeFileHash(fullPath: string, options?: Omit<ComputeFileHashOptions, "level">): Promise<string>;
}

/**
 * Returns a service that hashes texts and files at one level.
 *
 * @throws {@link ContentHashError} `UNKNOWN_LEVEL` when there is no such level.
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
