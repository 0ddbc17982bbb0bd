import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./pages.ts";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Returns the source of each published entry, by its path, with the name under which it is imported. */
export function publishedEntries(): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of globSync(["packages/*/package.json", "fixtures/package.json"], { cwd: ROOT }).sort()) {
    const { name, private: isPrivate, exports = {} } = JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Manifest;
    if (isPrivate) continue;
    for (const [entry, target] of Object.entries(exports)) {
      const source = (target as Readonly<Record<string, string>>)["@agentprint/source"];
      if (source !== undefined) found.set(join(ROOT, dirname(path), source), `${name}${entry.slice(1)}`);
    }
  }
  return found;
}

/** Returns the pages of the published packages, by package name. */
export function packagePages(): Map<string, string> {
  const manifests = globSync(["packages/*/package.json", "fixtures/package.json"], { cwd: ROOT });
  const named = manifests.map((path) => [
    (JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Manifest).name,
    join(dirname(path), "README.md"),
  ]);
  return new Map(named as [string, string][]);
}

/** Returns the address of each package's reference in the site, by the package's page. */
export function referencesOfPages(): Map<string, string> {
  const published = new Set(publishedEntries().values());
  const packages = [...packagePages()].filter(([name]) => published.has(name));
  return new Map(packages.map(([name, page]) => [page, `reference/modules/${name.replaceAll(/[@/]/g, "_")}.html`]));
}
