import { parseCanonical, toPointer } from "@agentprint/canonical-json";
import { messageOf } from "./errors.ts";
import { isStandardSchema, opaqueSchema, type StandardSchema, showSchema } from "./standard-schema.ts";

/**
 * A copy of a value as `JSON.stringify` reads it, in which each Standard Schema is
 * `{ "~standard": { input, output, json } }`: its JSON Schemas, and the JSON that it writes of itself. The latter is what
 * the 32-bit hash sees, so that what differs there differs here.
 *
 * @throws SpecError `opaque-object` for a schema that does not show its JSON Schema
 */
export function showSchemas(value: unknown, key = "", path = ""): unknown {
  if (isStandardSchema(value)) return describe(value, key, path);
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  const written: unknown = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  if (isStandardSchema(written)) return describe(written, key, path);
  // JSON leaves functions out, and one that is called toJSON is asked once.
  if (typeof written === "function") return undefined;
  if (typeof written !== "object" || written === null) return written;
  if (Array.isArray(written)) {
    return Array.from(written, (element, index) => showSchemas(element, String(index), `${path}/${index}`));
  }
  const entries = Object.entries(written);
  // An object without members may be one whose content JSON cannot see, and a String has its characters as members.
  if (entries.length === 0 || Object.prototype.toString.call(written) === "[object String]") return written;
  return Object.fromEntries(
    entries.map(([name, member]) => [name, showSchemas(member, name, path + toPointer([name]))]),
  );
}

function describe(schema: StandardSchema, key: string, path: string): object {
  const json = (parseCanonical(JSON.stringify({ [key]: schema })) as { readonly [key: string]: unknown })[key];
  try {
    return { "~standard": { ...showSchema(schema), json } };
  } catch (cause) {
    throw opaqueSchema(path, messageOf(cause), cause);
  }
}
