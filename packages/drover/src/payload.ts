import { canonicalize } from "@agentprint/canonical-json";
import { coveredFields, NULL_WHEN_ABSENT, type SpecCoverage, type SpecField } from "./coverage.ts";
import { SpecError, toSpecError } from "./errors.ts";
import type { AgentSpec, SpecPlugin, SystemPrompt } from "./spec.ts";

/** Options of every hash of a spec. */
export interface SpecHashOptions {
  /** The published field list to cover. Default `"spec"`, the specification's. */
  readonly coverage?: SpecCoverage | undefined;
}

/** The covered fields of a spec, as they are hashed. */
export type SpecPayload = Partial<Record<SpecField, unknown>>;

/** The covered fields of a spec as they were read, in their order; the prompt may be a function. */
export interface SpecFields extends SpecPayload {
  readonly systemPrompt: SystemPrompt;
  readonly pluginIds: readonly unknown[];
}

/**
 * The exact JSON text that {@link hashSpec} hashes: plain `JSON.stringify` of the covered fields in their order.
 *
 * Specification: "What's covered".
 *
 * @throws SpecError `invalid-spec`, `missing-system-prompt`, `invalid-plugins`, `unknown-coverage`, `cycle`, `bigint`,
 * `too-deep`, `unreadable`
 *
 * @example
 * ```ts
 * import { specHashPayload } from "@agentprint/drover";
 *
 * console.log(specHashPayload({ id: "writer", systemPrompt: "Write." }));
 * // {"id":"writer","systemPrompt":"Write.","quota":null,"pluginIds":[],"memory":null,"instructionFiles":null,"promptTemplate":null}
 * ```
 */
export function specHashPayload(spec: AgentSpec, options: SpecHashOptions = {}): string {
  return writeFields(readSpec(spec, options));
}

/** The JSON text of fields that were read; a prompt function is written as its source. */
export function writeFields(fields: SpecFields): string {
  const { systemPrompt } = fields;
  const payload = typeof systemPrompt === "function" ? { ...fields, systemPrompt: source(systemPrompt) } : fields;
  try {
    return JSON.stringify(payload);
  } catch (error) {
    throw locate(payload, error);
  }
}

/**
 * The covered fields of a spec in their order, with further plugins after its own. Every field is read once: a getter
 * may answer differently the second time.
 */
export function readSpec(
  spec: AgentSpec,
  { coverage = "spec" }: SpecHashOptions,
  plugins: readonly SpecPlugin[] = [],
): SpecFields {
  if (typeof spec !== "object" || spec === null) {
    throw new SpecError("invalid-spec", "", `spec must be an object; received ${spec === null ? "null" : typeof spec}`);
  }
  const names = coveredFields(coverage);
  try {
    return Object.fromEntries(names.map((field) => [field, readField(spec, field, plugins)])) as unknown as SpecFields;
  } catch (error) {
    throw toSpecError(error);
  }
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

/** The source text of a prompt function. */
export function source(prompt: (...args: never[]) => unknown): string {
  return Function.prototype.toString.call(prompt);
}

/**
 * The {@link SpecError} for what writing a payload threw. `JSON.stringify` does not say where it failed; the
 * canonicalizer, which fails on the same values, does.
 */
export function locate(payload: SpecPayload, error: unknown): SpecError {
  try {
    canonicalize(asInSpec(payload), { profile: "ecmascript" });
  } catch (located) {
    return toSpecError(located);
  }
  return toSpecError(error);
}

/** The fields of a payload where the spec has them, for pointers into the spec: the ids of plugins are in plugins. */
export function asInSpec(payload: SpecPayload): { readonly [field: string]: unknown } {
  return Object.fromEntries(
    Object.entries(payload).map(([field, value]) =>
      field === "pluginIds" ? ["plugins", (value as unknown[]).map((id) => ({ id: id ?? null }))] : [field, value],
    ),
  );
}
