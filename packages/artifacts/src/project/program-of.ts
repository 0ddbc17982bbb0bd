import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json";

/**
 * Returns the entry that starts a package in a table of programs: the one with the package's name, or else the only
 * one.
 *
 * @param programs By name, such as `bin` of a `package.json`
 * @param name The name of the package, without regard to its scope
 */
export function programOf(
  programs: JsonObject,
  name: string,
): readonly [program: string, value: JsonValue] | undefined {
  const own = name.replace(/^@[^/]+\//, "");
  const entries = Object.entries(programs);
  return entries.find(([program]) => program === own) ?? (entries.length === 1 ? entries[0] : undefined);
}

/** Returns the script that a `package.json` names as the package's program; `undefined` if it names none or several. */
export function scriptOf(manifest: JsonObject, name: string): string | undefined {
  const bin = Object.hasOwn(manifest, "bin") ? manifest["bin"] : undefined;
  if (typeof bin === "string") return bin;
  const [, script] = (isJsonObject(bin) && programOf(bin, name)) || [];
  return typeof script === "string" ? script : undefined;
}
