export { isLoadingCode } from "./code-variables.ts";
export { codeVariablesOfLaunch, coverageWithFiles, launchCoverage, launchedEnvFiles } from "./coverage.ts";
export { launchedFiles } from "./launched-files.ts";
export { type FetchedPackage, launchedPackages } from "./launched-packages.ts";
export type { LaunchedPackage, Launcher, VersionPrecision } from "./launcher.ts";
export { isCodeRunner } from "./programs/index.ts";
export { readLauncher, withPinnedVersion } from "./read-launcher.ts";
export type { LaunchedEnvFile, LaunchedFile } from "./reader.ts";
