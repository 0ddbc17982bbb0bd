import { type Launch, type LaunchedPackage, readLauncher } from "@agentprint/launch";

/** Returns the package that a launch fetches in its newest version; `undefined` for any other launch. */
export function floatingPackage(launch: Launch): LaunchedPackage | undefined {
  const launcher = readLauncher(launch);
  return "package" in launcher && launcher.version !== "exact" ? launcher : undefined;
}
