/**
 * `node apps/scripts/src/release/version-packages.ts`: consumes the changesets, as `changeset version` does, and also
 * gives the command a new version if a package that its build includes gets one. Changesets itself leaves out packages
 * for which the changed package is only a development dependency.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sync as spawnSync } from "cross-spawn";
import { manifestIn, REPOSITORY, withDependencies, workspacePackages } from "../packed-packages.ts";

const COMMAND = "agentprint";

const packages = workspacePackages();

function versionPackages(): void {
  const { status } = spawnSync("changeset", ["version"], { cwd: REPOSITORY, stdio: "inherit" });
  if (status !== 0) throw new Error(`changeset version ended with ${status}`);
}

function versionOf(name: string): string {
  return manifestIn(packages.get(name) as string).version;
}

/**
 * Returns the packages that the command's build includes: they are development dependencies, and its users do not
 * install them.
 */
function includedPackages(): string[] {
  const { dependencies, devDependencies, optionalDependencies } = manifestIn(packages.get(COMMAND) as string);
  const developedWith = Object.keys(devDependencies ?? {}).filter((name) => packages.has(name));
  const installed = { ...dependencies, ...optionalDependencies };
  return [...withDependencies(developedWith, packages)].filter((name) => !(name in installed));
}

const included = new Map(includedPackages().map((name) => [name, versionOf(name)]));
const before = versionOf(COMMAND);
versionPackages();
const released = [...included].filter(([name, version]) => versionOf(name) !== version);
if (released.length > 0 && versionOf(COMMAND) === before) {
  const names = released.map(([name]) => `${name} ${versionOf(name)}`).join(", ");
  const file = join(REPOSITORY, ".changeset/included-packages.md");
  writeFileSync(file, `---\n"${COMMAND}": patch\n---\n\nIncludes ${names}.\n`);
  versionPackages();
}
