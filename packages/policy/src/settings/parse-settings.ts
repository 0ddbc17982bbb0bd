import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  toPointer,
  typeName,
} from "@agentprint/canonical-json/json-value";
import { PolicyError, type PolicyErrorCode } from "../errors.ts";
import { mapMembers } from "../map-members.ts";
import { type Reviewer, SETTINGS, type Settings, type VisitSettings } from "./settings.ts";
import {
  KEY_SCHEMA,
  KEYS_SCHEMA,
  PATH_SCHEMA,
  RESOURCE_SCHEMA,
  RESOURCES_SCHEMA,
  REVIEWER_SCHEMA,
  SETTINGS_SCHEMAS,
  type SettingSchema,
  TIMES,
  VISIT_SCHEMAS,
} from "./settings-schema.ts";

type Path = readonly (string | number)[];

/**
 * Reads the settings in a document. Its other members are left to `parsePolicy`.
 *
 * @param document A parsed JSON document, `agentprint.config.json`
 * @throws {@link PolicyError} `wrong-type`, `invalid-value`, `unknown-member` with the place of the first error
 * @example
 * ```ts
 * import { parseSettings } from "@agentprint/policy/settings";
 *
 * const { visits } = parseSettings({ visits: { requestTimeout: 90 }, preset: "compatible" });
 * console.log(visits.requestTimeout); // 90000
 * ```
 */
export function parseSettings(document: JsonValue): Settings {
  if (!isJsonObject(document)) return { visits: {}, configurations: [], reviewers: [] };
  const { visits = {}, configurations = [], reviewers = {} } = document;
  return {
    visits: visitSettings(requireValid(visits, SETTINGS_SCHEMAS.visits, ["visits"])),
    configurations: configurationPaths(
      requireValid(configurations, SETTINGS_SCHEMAS.configurations, ["configurations"]),
    ),
    reviewers: reviewersOf(requireValid(reviewers, SETTINGS_SCHEMAS.reviewers, ["reviewers"])),
  };
}

/** Returns whether a document contains only settings and nothing that decides about findings or calls. */
export function hasOnlySettings(document: JsonValue): boolean {
  if (!isJsonObject(document)) return false;
  const names = Object.keys(document).filter((name) => name !== "$schema");
  return names.length > 0 && names.every((name) => SETTINGS.some((setting) => setting === name));
}

function visitSettings(visits: JsonValue): VisitSettings {
  const members = Object.entries(visits as JsonObject).map(([name, value]) => {
    const path = ["visits", name];
    const schema = ownMember<SettingSchema>({ ...VISIT_SCHEMAS }, name);
    if (schema === undefined) {
      throw new PolicyError("unknown-member", toPointer(path), "unknown member", "only members that visits have");
    }
    const given = requireValid(value, schema, path);
    if (Array.isArray(given) && isJsonObject(schema["items"] ?? null)) {
      for (const [index, item] of given.entries())
        requireValid(item, schema["items"] as SettingSchema, [...path, index]);
    }
    if (name === "leaveOut") return [name, leftOut(given as JsonObject, path)];
    return [name, TIMES.has(name) && typeof given === "number" ? Math.ceil(given * 1000) : given];
  });
  return Object.fromEntries(members);
}

function leftOut(servers: JsonObject, path: Path): JsonObject {
  return mapMembers(servers, (given, server) => {
    const uris = requireValid(given, RESOURCES_SCHEMA, [...path, server]) as readonly JsonValue[];
    return uris.map((uri, index) => requireValid(uri, RESOURCE_SCHEMA, [...path, server, index]));
  });
}

function configurationPaths(paths: JsonValue): string[] {
  return (paths as readonly JsonValue[]).flatMap((path, index) => {
    const valid = requireValid(path, PATH_SCHEMA, ["configurations", index]);
    return typeof valid === "string" ? [valid] : [];
  });
}

/** Returns the reviewers. Refuses a key that occurs twice, because it would not show which reviewer signed. */
function reviewersOf(reviewers: JsonValue): Reviewer[] {
  const seen = new Set<JsonValue>();
  return Object.entries(reviewers as JsonObject).map(([name, given]) => {
    requireValid(name, REVIEWER_SCHEMA, ["reviewers", name]);
    const keys = requireValid(given, KEYS_SCHEMA, ["reviewers", name]) as readonly JsonValue[];
    keys.forEach((key, index) => {
      const path = ["reviewers", name, index];
      requireValid(key, KEY_SCHEMA, path);
      if (seen.has(key)) throw failure("invalid-value", key, path, "a key that is listed once");
      seen.add(key);
    });
    return { name, keys: keys as readonly string[] };
  });
}

/** Returns a value if it satisfies the keywords of a setting's schema. */
function requireValid(value: JsonValue, schema: SettingSchema, path: Path): JsonValue {
  const { type, enum: allowed, description } = schema;
  if (type !== undefined && !isOfType(value, type)) {
    throw failure("wrong-type", value, path, type === "integer" ? "a whole number" : type);
  }
  if (Array.isArray(allowed) && !allowed.includes(value)) {
    throw failure("invalid-value", value, path, allowed.map((each) => JSON.stringify(each)).join(" or "));
  }
  const [least, most] = [schema.minimum ?? -Infinity, schema.maximum ?? Infinity];
  if (typeof value === "number" && (value < least || value > most)) {
    throw failure("invalid-value", value, path, value < least ? `at least ${least}` : `at most ${most}`);
  }
  const { pattern, minLength, minItems = 0, maxItems, maxProperties = Infinity } = schema;
  if (typeof value === "string" && minLength !== undefined && value === "") {
    throw failure("invalid-value", value, path, "a text");
  }
  if (typeof value === "string" && pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    throw failure("invalid-value", value, path, description ?? "");
  }
  if (Array.isArray(value) && maxItems !== undefined && value.length > maxItems) {
    throw failure("invalid-value", value, path, `at most ${maxItems} entries`);
  }
  if (Array.isArray(value) && value.length < minItems) {
    throw failure("invalid-value", value, path, `at least ${minItems} entry`);
  }
  if (isJsonObject(value) && Object.keys(value).length > maxProperties) {
    throw failure("invalid-value", value, path, `at most ${maxProperties} members`);
  }
  return value;
}

function isOfType(value: JsonValue, type: string): boolean {
  return typeName(value) === type || (type === "integer" && Number.isSafeInteger(value));
}

function failure(code: PolicyErrorCode, value: JsonValue, path: Path, expected: string): PolicyError {
  const isScalar = typeof value !== "object" || value === null;
  const received = isScalar ? JSON.stringify(value).slice(0, 100) : typeName(value);
  return new PolicyError(code, toPointer(path.map(String)), `received ${received}`, expected);
}
