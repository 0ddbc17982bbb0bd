export { ArtifactError, type ArtifactErrorCode } from "./errors.ts";
export { type ExactPackage, emptyHome, installPackage } from "./install/install-package.ts";
export { type PreparedLaunch, type PrepareOptions, prepareLaunch } from "./install/prepare-launch.ts";
export { packageFolders } from "./package-folders.ts";
export { type Project, readProject } from "./project/read-project.ts";
export { readArtifacts } from "./read-artifacts.ts";
export { resolveVersion } from "./resolve-version.ts";
export { type ProgramEnd, runProgram } from "./run-program.ts";
export type { Surroundings } from "./surroundings.ts";
