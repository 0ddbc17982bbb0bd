export { ArtifactError, type ArtifactErrorCode } from "./errors.ts";
export { readArtifacts } from "./read-artifacts.ts";
export { resolveVersion } from "./resolve-version.ts";
export { type ProgramEnd, runProgram } from "./run-program.ts";
export type { Surroundings } from "./surroundings.ts";
