import {
  fromPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "../../../../packages/canonical-json/src/json-value/index.ts";

/** The arguments by parameter name, chosen so that they are valid on a server without an account. */
const BY_NAME: Readonly<Record<string, JsonValue>> = {
  paths: ["a.txt"],
  source: "a.txt",
  destination: "b.txt",
  data: "data:text/plain,hello",
  duration: 0.1,
  steps: 1,
};

/**
 * Returns arguments that a tool's input schema accepts: one for each parameter that is required or has a common name.
 */
export function exampleArguments({ name, inputSchema }: JsonObject): JsonObject {
  if (!isJsonObject(inputSchema)) return {};
  const given = exampleOf({ ...inputSchema, type: "object" }, inputSchema) as JsonObject;
  const isAboutFolders = /director|search/.test(String(name));
  return typeof given["path"] === "string" ? { ...given, path: isAboutFolders ? "." : "a.txt" } : given;
}

function exampleOf(schema: JsonValue | undefined, root: JsonObject): JsonValue {
  if (!isJsonObject(schema)) return "text";
  const { $ref, type, default: preset, enum: values, const: only, anyOf, oneOf, allOf } = schema;
  if (typeof $ref === "string") return exampleOf(resolve($ref, root), root);
  if (only !== undefined) return only;
  if (Array.isArray(values) && values[0] !== undefined) return values[0];
  if (preset !== undefined) return preset;
  for (const branches of [anyOf, oneOf, allOf]) if (Array.isArray(branches)) return exampleOf(branches[0], root);
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return exampleObject(schema, root);
    case "array":
      return Array.from({ length: Number(schema["minItems"] ?? 0) }, () => exampleOf(schema["items"], root));
    case "number":
    case "integer":
      return Number(schema["minimum"] ?? schema["exclusiveMinimum"] ?? 0) + 1;
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return schema["format"] === "uri" ? "https://example.com" : "text".padEnd(Number(schema["minLength"] ?? 0), "t");
  }
}

function exampleObject({ properties, required }: JsonObject, root: JsonObject): JsonObject {
  const known = isJsonObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    Object.keys(known)
      .filter((name) => names.includes(name) || Object.hasOwn(BY_NAME, name))
      .map((name) => [name, fits(BY_NAME[name], known[name]) ?? exampleOf(known[name], root)]),
  );
}

function fits(value: JsonValue | undefined, schema: JsonValue | undefined): JsonValue | undefined {
  const type = isJsonObject(schema) ? schema["type"] : undefined;
  return type === undefined || type === (Array.isArray(value) ? "array" : typeof value) ? value : undefined;
}

function resolve($ref: string, root: JsonObject): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const name of fromPointer($ref.slice(1))) value = isJsonObject(value) ? value[name] : undefined;
  return value;
}
