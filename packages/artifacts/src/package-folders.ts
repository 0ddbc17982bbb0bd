import { join } from "node:path";
import { type Launch, launchedFiles, launchedPackages } from "@agentprint/launch";
import { findByNpx } from "./npm/read-npm.ts";
import { packageOfScript } from "./npm/read-script.ts";
import { unpackedModule } from "./pypi/read-pypi.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Finds the folders of the packages that a launch names, as they are installed on this machine: of npm those of scripts in `node_modules`, and
 * those that `npx` would run; of Python the module with the name of the package, in the wheel that uv has unpacked. Starts nothing of them.
 *
 * @param launch The launch with its references filled in
 * @throws {@link ArtifactError} `no-program`, `unreadable` when npm or uv does not name its folders, or a package lock or a note of uv cannot be read
 */
export async function packageFolders(launch: Launch, surroundings: Surroundings): Promise<string[]> {
  const all = launchedPackages(launch);
  const ofRunner = all.map(async (fetched) => {
    const { kind, runner, version, versionText = "" } = fetched;
    if (version !== "exact") return undefined;
    if (kind === "python") return unpackedModule(fetched, surroundings);
    if (kind !== "npm" || !["npx", "npm"].includes(runner)) return undefined;
    return (await findByNpx(fetched, versionText.replace(/^[v=]+/, ""), all, surroundings))?.folder;
  });
  const ofScripts = launchedFiles(launch).map((file) => {
    const { root, name } = packageOfScript(file, surroundings) ?? {};
    return root === undefined || name === undefined ? undefined : join(root, "node_modules", name);
  });
  return [...new Set([...(await Promise.all(ofRunner)), ...ofScripts])].filter((folder) => folder !== undefined);
}
