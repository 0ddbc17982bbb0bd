export { type LaunchedFile, launchedFiles } from "./launched-files.ts";
export type { LaunchedPackage, Launcher, VersionPrecision } from "./launcher.ts";
export { readLauncher, withPinnedVersion } from "./read-launcher.ts";
