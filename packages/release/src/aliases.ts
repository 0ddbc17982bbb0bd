import { isJsonObject, type JsonObject, type JsonValue, parseJson, toPointer } from "@agentprint/canonical-json";
import type { Renames } from "@agentprint/mcp-lock";
import { ReleaseError } from "./errors.ts";

/** The maximum length of a file of declared renames, in bytes. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads the tool renames that an author declares: an object whose member `tools` maps each old name to the new one.
 *
 * @param text The file's text, strict JSON of at most 1 MiB
 * @returns The old names with the new ones
 * @throws {@link ReleaseError} `invalid-aliases`
 * @example
 * ```ts
 * import { parseAliases } from "@agentprint/release";
 *
 * console.log(parseAliases('{ "tools": { "read_file": "read_text_file" } }').get("read_file")); // read_text_file
 * ```
 */
export function parseAliases(text: string | Uint8Array): Renames {
  const { tools = {}, ...others } = objectAt(read(text), []);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(`the member ${unknown} is unknown`, [unknown], "tools");
  return new Map(Object.entries(objectAt(tools, ["tools"])).map(([before, after]) => [before, nameAt(after, before)]));
}

function read(text: string | Uint8Array): JsonValue {
  try {
    return parseJson(text, { maxBytes: MAX_BYTES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReleaseError("invalid-aliases", reason, { expected: "strict JSON" }, error);
  }
}

function objectAt(value: JsonValue, path: readonly string[]): JsonObject {
  if (isJsonObject(value)) return value;
  throw invalid("the value is not an object", path, '{ "tools": { "<old name>": "<new name>" } }');
}

function nameAt(value: JsonValue, before: string): string {
  if (typeof value === "string" && value !== "" && value !== before) return value;
  throw invalid("the value is not a different tool name", ["tools", before], "the new name");
}

function invalid(message: string, path: readonly string[], expected: string): ReleaseError {
  return new ReleaseError("invalid-aliases", message, { path: toPointer(path), expected });
}
