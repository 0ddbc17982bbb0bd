import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { ArtifactError } from "../errors.ts";
import { objectAt, readObject } from "../json-file.ts";
import { runProgram } from "../run-program.ts";
import type { Surroundings } from "../surroundings.ts";
import { detailIn, installerEnvironment } from "./install-npm.ts";
import { type InstalledEntry, installedEntries } from "./installed-entries.ts";

/** The time limit for all scripts of an installation, in milliseconds. */
const TIME_LIMIT = 600_000;
/**
 * The scripts that npm runs when it installs a package from a registry: https://docs.npmjs.com/cli/using-npm/scripts
 */
const EVENTS = ["preinstall", "install", "postinstall"];

/**
 * Runs the allowed install scripts of the packages in a folder, and throws if any other package has install scripts. As
 * with npm, packages bundled in another package run no scripts.
 *
 * @param allowed The names of the packages
 * @throws {@link ArtifactError} `needs-scripts` before the first script runs; `script-failed`, `no-program`, `unreadable`
 */
export async function runScripts(
  folder: string,
  allowed: readonly string[],
  surroundings: Surroundings,
): Promise<void> {
  const having = await entriesWithScripts(folder);
  const refused = having.map(({ name }) => name).filter((name) => !allowed.includes(name));
  if (refused.length > 0) throw needsScripts([...new Set(refused)].sort());
  if (having.length === 0) return;
  const { signal } = surroundings;
  const own = { cwd: folder, env: installerEnvironment(surroundings), ...(signal && { signal }) };
  const options = ["--ignore-scripts=false", "--dangerously-allow-all-scripts", "--no-rebuild-bundle"];
  const places = having.map(({ place }) => join(folder, place));
  const args = ["rebuild", `--prefix=${folder}`, "--json", "--loglevel=error", ...options, "--", ...places];
  // Without this, npm would trust the registry's own list of scripts instead of reading the manifests.
  const list = join(folder, "node_modules", ".package-lock.json");
  const aside = join(folder, "package-list.json");
  await rename(list, aside);
  const ended = await runProgram("npm", args, own, "", TIME_LIMIT);
  await rename(aside, list);
  if (ended.code === 0) return;
  const names = having.map(({ title }) => title).join(", ");
  const why = ended.code === null ? `it did not end within ${TIME_LIMIT / 60_000} minutes` : detailIn(ended);
  throw new ArtifactError("script-failed", `an install script of ${names} failed: ${why}`);
}

/**
 * Returns the installed packages that have an install script, either according to their own manifest or because
 * node-gyp builds them.
 */
async function entriesWithScripts(folder: string): Promise<readonly InstalledEntry[]> {
  const all = await installedEntries(folder);
  const found = all.map(async (entry) => {
    if (entry.own["inBundle"] === true) return [];
    const has = entry.own["hasInstallScript"] === true || (await hasScript(join(folder, entry.place)));
    return has ? [entry] : [];
  });
  return (await Promise.all(found)).flat();
}

async function hasScript(place: string): Promise<boolean> {
  const manifest = (await readObject(join(place, "package.json"))) ?? {};
  const scripts = objectAt(manifest, "scripts");
  if (EVENTS.some((event) => Object.hasOwn(scripts, event))) return true;
  return manifest["gypfile"] !== false && existsSync(join(place, "binding.gyp"));
}

function needsScripts(names: readonly string[]): ArtifactError {
  const verb = names.length === 1 ? "has" : "have";
  const message = `${names.join(", ")} ${verb} scripts that run at installation, and no one allowed them`;
  return new ArtifactError("needs-scripts", message, undefined, names);
}

/**
 * Returns the packages, among an artifact and its dependencies, whose install scripts were allowed and are known to
 * exist, either on this machine or according to the list of all platforms.
 *
 * @param titles The artifact and its dependencies, by name and version
 */
export async function scriptsOf(
  folder: string,
  allowed: readonly string[],
  titles: readonly string[],
): Promise<readonly string[]> {
  if (allowed.length === 0) return [];
  const own = await installedEntries(folder, "package-lock.json");
  const flagged = own.filter(({ own: entry }) => entry["hasInstallScript"] === true);
  const having = [...flagged, ...(await entriesWithScripts(folder))];
  const names = having.filter(({ title }) => titles.includes(title)).map(({ name }) => name);
  return [...new Set(names.filter((name) => allowed.includes(name)))].sort();
}
