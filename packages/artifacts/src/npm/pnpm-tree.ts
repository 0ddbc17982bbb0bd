import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { parse } from "yaml";
import { objectAt, readText, textAt, unreadable } from "../json-file.ts";
import type { InstalledPackage } from "./installed-package.ts";

/**
 * Finds a package that pnpm installed into a folder's `node_modules`, using the package lock that pnpm keeps there.
 *
 * @returns `undefined` if pnpm did not install it
 * @throws {@link ArtifactError} `unreadable` if the package lock is not YAML
 */
export async function readPnpmTree(
  folder: string,
  name: string,
  version: string,
): Promise<InstalledPackage | undefined> {
  const path = join(folder, "node_modules", ".pnpm", "lock.yaml");
  const text = await readText(path);
  const lock = text === undefined ? undefined : yamlObject(text, path);
  if (lock === undefined) return undefined;
  const [packages, snapshots] = [objectAt(lock, "packages"), objectAt(lock, "snapshots")];
  const title = `${name}@${version}`;
  if (!Object.hasOwn(packages, title)) return undefined;
  const integrity = integrityOf(packages, title);
  const found = new Map<string, string>();
  // A snapshot is a package together with the peers that it was installed with: `name@1.0.0(peer@2.0.0)`.
  const open = Object.keys(snapshots).filter((key) => withoutPeers(key) === title);
  const seen = new Set(open);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const snapshot = objectAt(snapshots, key);
    for (const next of ["dependencies", "optionalDependencies"].flatMap((kind) => keysOf(objectAt(snapshot, kind)))) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
      const own = integrityOf(packages, withoutPeers(next));
      if (own !== undefined) found.set(withoutPeers(next), own);
    }
  }
  const dependencies = Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { version, ...(integrity !== undefined && { integrity }), dependencies };
}

function yamlObject(text: string, path: string): JsonObject {
  let value: JsonValue;
  try {
    // pnpm never writes aliases into its package lock; a lock with aliases may be an attack that expands without limit.
    value = parse(text, { maxAliasCount: 0 }) as JsonValue;
  } catch (error) {
    throw unreadable(path, error);
  }
  if (isJsonObject(value)) return value;
  throw unreadable(path, new Error("it is not a mapping"));
}

/** Returns the snapshot keys that dependencies refer to: by a version, or for an alias by the complete key. */
function keysOf(dependencies: JsonObject): string[] {
  return Object.entries(dependencies).map(([name, value]) => {
    const version = String(value);
    return /^@?[^@(]+@/.test(version) ? version : `${name}@${version}`;
  });
}

function withoutPeers(key: string): string {
  return key.replace(/\(.*$/s, "");
}

function integrityOf(packages: JsonObject, title: string): string | undefined {
  return textAt(objectAt(objectAt(packages, title), "resolution"), "integrity");
}
