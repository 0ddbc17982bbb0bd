import { join } from "node:path";
import { type Launch, launchedFiles, launchedPackages, readInstallable } from "@agentprint/launch";
import { findKept } from "./install/kept-folders.ts";
import { findModules } from "./install/prepare-python.ts";
import { exactVersion, findByNpx } from "./npm/read-npm.ts";
import { packageOfScript } from "./npm/read-script.ts";
import { exactOf, unpackedModule } from "./pypi/read-pypi.ts";
import type { Surroundings } from "./surroundings.ts";

/**
 * Finds the folders on this machine where the packages that a launch names are installed: for npm, the packages of
 * scripts in `node_modules`, those installed for launches, or else those that `npx` would run; for Python, the module
 * named like the package in the wheel that uv has unpacked. Starts none of them.
 *
 * @param launch The launch with its references resolved
 * @param store The folder that holds the packages installed for launches
 * @throws {@link ArtifactError} `no-program`, `unreadable` if npm or uv does not report its folders, or if a package
 * lock or one of uv's notes cannot be read
 */
export async function packageFolders(launch: Launch, surroundings: Surroundings, store: string): Promise<string[]> {
  const installable = readInstallable(launch);
  const kept = await Promise.all(
    (installable?.packages ?? []).map((each) =>
      each.kind === "python" ? findModules(store, exactOf(each)) : findKept(store, each.package, exactVersion(each)),
    ),
  );
  if (kept.flat().length > 0) return kept.flat();
  const all = launchedPackages(launch);
  const ofRunner = all.map(async (fetched) => {
    const { kind, runner, version } = fetched;
    if (version !== "exact") return undefined;
    if (kind === "python") return unpackedModule(fetched, surroundings);
    if (kind !== "npm" || !["npx", "npm"].includes(runner)) return undefined;
    return (await findByNpx(fetched, exactVersion(fetched), all, surroundings))?.folder;
  });
  const ofScripts = launchedFiles(launch).map((file) => {
    const { root, name } = packageOfScript(file, surroundings) ?? {};
    return root === undefined || name === undefined ? undefined : join(root, "node_modules", name);
  });
  return [...new Set([...(await Promise.all(ofRunner)), ...ofScripts])].filter((folder) => folder !== undefined);
}
