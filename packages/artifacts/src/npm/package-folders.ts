import { join } from "node:path";
import { type Launch, launchedFiles, launchedPackages } from "@agentprint/launch";
import type { Surroundings } from "../surroundings.ts";
import { findByNpx } from "./read-npm.ts";
import { packageOfScript } from "./read-script.ts";

/**
 * Finds the folders of the packages of npm that a launch names, as they are installed on this machine: those of scripts in `node_modules`, and
 * those that `npx` would run. Starts nothing of them.
 *
 * @param launch The launch with its references filled in
 * @throws {@link ArtifactError} `no-program`, `unreadable` when npm does not name its folders, or a package lock cannot be read
 */
export async function packageFolders(launch: Launch, surroundings: Surroundings): Promise<string[]> {
  const all = launchedPackages(launch);
  const ofRunner = all.map(async (fetched) => {
    const { kind, runner, version, versionText = "" } = fetched;
    if (kind !== "npm" || version !== "exact" || !["npx", "npm"].includes(runner)) return undefined;
    return (await findByNpx(fetched, versionText.replace(/^[v=]+/, ""), all, surroundings))?.folder;
  });
  const ofScripts = launchedFiles(launch).map((file) => {
    const { root, name } = packageOfScript(file, surroundings) ?? {};
    return root === undefined || name === undefined ? undefined : join(root, "node_modules", name);
  });
  return [...new Set([...(await Promise.all(ofRunner)), ...ofScripts])].filter((folder) => folder !== undefined);
}
