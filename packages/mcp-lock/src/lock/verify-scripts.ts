import { compareCodeUnits, type PathSegment, toPointer } from "@agentprint/canonical-json";
import type { LockedArtifact } from "@agentprint/launch";
import { McpLockError } from "../errors.ts";
import type { LockedServer } from "./lock.ts";

/**
 * Requires that the packages whose install scripts may run be named in order and only once, and that each one be an npm
 * package that the artifact is or includes; otherwise, the scripts of any later package with that name would be
 * allowed.
 *
 * @throws {@link McpLockError} `invalid-lock`
 */
export function verifyScripts({ artifacts = [] }: LockedServer, at: readonly PathSegment[]): void {
  for (const [index, artifact] of artifacts.entries()) {
    const { scripts = [] } = artifact;
    const place = [...at, "artifacts", index, "scripts"];
    const known = namesOf(artifact);
    for (const [position, name] of scripts.entries()) {
      const before = scripts[position - 1];
      if (before !== undefined && compareCodeUnits(before, name) >= 0) {
        throw new McpLockError("invalid-lock", toPointer(place), "Expected names in code-unit order, each once");
      }
      if (!known.has(name)) {
        const message = "Expected the name of this npm package, or of one of its dependencies";
        throw new McpLockError("invalid-lock", toPointer([...place, position]), message);
      }
    }
  }
}

function namesOf({ kind, name, dependencies = {} }: LockedArtifact): ReadonlySet<string> {
  if (kind !== "npm") return new Set();
  return new Set([
    name,
    ...Object.keys(dependencies).map((title) => title.slice(0, Math.max(title.lastIndexOf("@"), 0))),
  ]);
}
