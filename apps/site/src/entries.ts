import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./pages.ts";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** The source of each entry that is published, by its path, with the name by which it is imported. */
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
