export { type ComputeFileHashOptions, computeFileHash } from "./compute-file-hash.ts";
export { createFileContentHashService, type FileContentHashService } from "./file-content-hash-service.ts";
export { createFileHasher, type FileHasher } from "./file-hasher.ts";
export type { SymlinkPolicy } from "./open-file.ts";
