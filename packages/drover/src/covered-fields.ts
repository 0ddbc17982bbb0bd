import { canonicalize, deepFreeze, fromPointer } from "@agentprint/canonical-json";
import { SpecError, toSpecError } from "./errors.ts";
import type { AgentSpec, SpecPlugin, SystemPrompt } from "./spec.ts";

/** A field of the hashed object, which is a field of the spec or `pluginIds`. */
export type SpecField =
  | "id"
  | "description"
  | "tools"
  | "skills"
  | "mcpServers"
  | "commands"
  | "model"
  | "systemPrompt"
  | "inputSchema"
  | "outputSchema"
  | "subagents"
  | "outputRetries"
  | "maxTurns"
  | "timeoutMs"
  | "quota"
  | "pluginIds"
  | "memory"
  | "instructionFiles"
  | "promptTemplate"
  | "lifecycle"
  | "compaction";

const TO_MCP_SERVERS: readonly SpecField[] = ["id", "tools", "skills", "mcpServers"];
const TO_OUTPUT_RETRIES: readonly SpecField[] = [
  "model",
  "systemPrompt",
  "inputSchema",
  "outputSchema",
  "subagents",
  "outputRetries",
];
const FROM_QUOTA: readonly SpecField[] = ["quota", "pluginIds", "memory", "instructionFiles", "promptTemplate"];

const DOC_V1: readonly SpecField[] = [...TO_MCP_SERVERS, ...TO_OUTPUT_RETRIES, "maxTurns", "timeoutMs", "pluginIds"];
const DOC_V2: readonly SpecField[] = [...DOC_V1, "memory"];
const DOC_V3: readonly SpecField[] = [...DOC_V2, "instructionFiles"];
const CODE_V4: readonly SpecField[] = [...TO_MCP_SERVERS, "commands", ...TO_OUTPUT_RETRIES, ...FROM_QUOTA, "lifecycle"];

/**
 * The names of the published field lists.
 *
 * - `spec`: the list in "Spec hash & drift", the specification that defines this hash.
 * - `docV1`, `docV2`, `docV3`: the lists in the documentation of the hash's versions 1, 2 and 3.
 * - `codeV3p`: the list that version 3 implements, which is `docV3` and `promptTemplate` (the p in the name).
 * - `codeV4`, `codeV5`: the lists that versions 4 and 5 implement.
 */
export type SpecCoverage = "spec" | "docV1" | "docV2" | "docV3" | "codeV3p" | "codeV4" | "codeV5";

/**
 * The fields that each published version of the hash covers, in the order in which they are written. `spec` is the
 * default; the other lists are for runs that another version recorded.
 *
 * @see Spec hash & drift, "What's covered"
 * @example
 * ```ts
 * import { SPEC_COVERAGE } from "@agentprint/drover";
 *
 * console.log(SPEC_COVERAGE.spec.length); // 15
 * ```
 */
export const SPEC_COVERAGE: { readonly [name in SpecCoverage]: readonly SpecField[] } = deepFreeze({
  spec: [...TO_MCP_SERVERS, ...TO_OUTPUT_RETRIES, ...FROM_QUOTA],
  docV1: DOC_V1,
  docV2: DOC_V2,
  docV3: DOC_V3,
  codeV3p: [...DOC_V3, "promptTemplate"],
  codeV4: CODE_V4,
  codeV5: ["id", "description", ...CODE_V4.slice(1), "compaction"],
});

/**
 * Fields that are written as `null` if the spec omits them. Any other field that the spec omits is left out of the
 * text.
 */
const NULL_WHEN_ABSENT: ReadonlySet<SpecField> = new Set<SpecField>([
  "quota",
  "memory",
  "instructionFiles",
  "promptTemplate",
  "lifecycle",
  "description",
  "compaction",
]);

/** Options for every hash of a spec. */
export interface SpecHashOptions {
  /** The published field list to cover. Default `"spec"`. */
  readonly coverage?: SpecCoverage | undefined;
}

/** The values of covered fields, by field. */
export type SpecPayload = Partial<Record<SpecField, unknown>>;

/** The covered fields of a spec as they were read, in order. The prompt may be a function. */
export interface SpecFields extends SpecPayload {
  readonly systemPrompt: SystemPrompt;
  readonly pluginIds: readonly unknown[];
}

/**
 * Reads the covered fields of a spec in order; the ids of additional plugins follow the ids of the spec's own plugins.
 * Every field is read only once, because a getter may return another value the second time.
 *
 * @throws {@link SpecError} `invalid-spec`, `unknown-coverage`, `missing-system-prompt`, `invalid-plugins` or `unreadable`
 */
export function readCoveredFields(
  spec: AgentSpec,
  { coverage = "spec" }: SpecHashOptions,
  plugins: readonly SpecPlugin[] = [],
): SpecFields {
  if (typeof spec !== "object" || spec === null) {
    throw new SpecError("invalid-spec", "", `spec must be an object; received ${spec === null ? "null" : typeof spec}`);
  }
  const names = fieldsOf(coverage);
  try {
    return Object.fromEntries(names.map((field) => [field, readField(spec, field, plugins)])) as unknown as SpecFields;
  } catch (error) {
    throw toSpecError(error);
  }
}

function fieldsOf(coverage: SpecCoverage): readonly SpecField[] {
  if (Object.hasOwn(SPEC_COVERAGE, coverage)) return SPEC_COVERAGE[coverage];
  const names = Object.keys(SPEC_COVERAGE).join(", ");
  throw new SpecError("unknown-coverage", "", `coverage must be one of ${names}; received ${String(coverage)}`);
}

function readField(spec: AgentSpec, field: SpecField, plugins: readonly SpecPlugin[]): unknown {
  if (field === "pluginIds") return [...pluginIds(spec.plugins), ...pluginIds(plugins)];
  if (field === "systemPrompt") return checkPrompt(spec.systemPrompt);
  const value = spec[field];
  return NULL_WHEN_ABSENT.has(field) ? (value ?? null) : value;
}

function checkPrompt(prompt: unknown): SystemPrompt {
  if (typeof prompt === "string" || typeof prompt === "function") return prompt as SystemPrompt;
  const received = prompt === null ? "null" : typeof prompt;
  throw new SpecError(
    "missing-system-prompt",
    "/systemPrompt",
    `systemPrompt must be a string or a function; received ${received}`,
  );
}

function pluginIds(plugins: readonly SpecPlugin[] | null | undefined): unknown[] {
  if (plugins === undefined || plugins === null) return [];
  if (!Array.isArray(plugins)) {
    throw new SpecError("invalid-plugins", "/plugins", `plugins must be an array; received ${typeof plugins}`);
  }
  return Array.from(plugins, (plugin: SpecPlugin | null | undefined, index) => {
    if (plugin !== undefined && plugin !== null) return plugin.id;
    throw new SpecError("invalid-plugins", `/plugins/${index}`, `a plugin must have an id; received ${plugin}`);
  });
}

/** Returns the source text of a prompt function, which is hashed instead of the function. */
export function sourceOf(prompt: (...args: never[]) => unknown): string {
  return Function.prototype.toString.call(prompt);
}

/**
 * Returns a payload's fields in the spec's layout, so that pointers refer to the spec: the hashed `pluginIds` are in
 * `plugins`.
 */
export function toSpecLayout(payload: SpecPayload): { readonly [field: string]: unknown } {
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]) =>
      field === "pluginIds" ? ["plugins", (value as unknown[]).map((id) => ({ id: id ?? null }))] : [field, value],
    ),
  );
}

/** Returns the field to which a JSON Pointer leads. */
export function fieldAt(pointer: string): SpecField {
  const [member] = fromPointer(pointer);
  return (member === "plugins" ? "pluginIds" : member) as SpecField;
}

/**
 * Returns the {@link SpecError} for an exception thrown while writing a payload. `JSON.stringify` does not report why
 * it failed. The canonicalizer fails for the same values and reports the place.
 */
export function locate(payload: SpecPayload, error: unknown): SpecError {
  try {
    canonicalize(toSpecLayout(payload), { profile: "ecmascript" });
  } catch (located) {
    return toSpecError(located);
  }
  return toSpecError(error);
}
