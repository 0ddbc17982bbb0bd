import {
  fromPointer,
  isObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  printable,
} from "@agentprint/canonical-json";
import { type SpecFields, sourceOf, toSpecLayout } from "./covered-fields.ts";
import type { AgentSpec, SystemPrompt, UnseenPart } from "./spec.ts";
import type { SpecWarning } from "./spec-warning.ts";
import { findUnseen, hasHiddenMembers, type UnseenValues } from "./unseen-values.ts";

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/**
 * Returns the parts of a spec that may change without changing the hash of these fields.
 *
 * @see Spec hash & drift, "What's NOT covered"
 */
export function specWarnings(
  spec: AgentSpec,
  fields: SpecFields,
  unseen: UnseenValues = findUnseenFields(fields),
): readonly SpecWarning[] {
  return [
    ...promptWarnings(fields.systemPrompt),
    ...pluginWarnings(fields.pluginIds),
    ...externalWarnings(fields),
    ...memberWarnings(spec, fields),
    ...unseen.warnings,
    ...unseenParts(spec.unseen).map(({ path, message }): SpecWarning => ({ code: "unseen-part", path, message })),
  ];
}

/** Returns the values inside fields that JSON does not write. There are separate warnings about the prompt. */
export function findUnseenFields(fields: SpecFields): UnseenValues {
  return findUnseen(toSpecLayout({ ...fields, systemPrompt: null }));
}

/** Returns the warnings about members of the spec itself that are not hashed. */
function memberWarnings(spec: AgentSpec, fields: SpecFields): SpecWarning[] {
  const isKnown = (name: string): boolean =>
    name === "plugins" || name === "unseen" || (name !== "pluginIds" && Object.hasOwn(fields, name));
  const names = Object.keys(spec).filter((name) => !isKnown(name));
  const message = `the covered fields do not include ${printable(names.join(", "))}`;
  const uncovered: SpecWarning[] = names.length === 0 ? [] : [{ code: "uncovered-field", path: "", message }];
  if (!hasHiddenMembers(spec)) return uncovered;
  const hidden = "only the covered fields of a spec that is not a plain object are hashed";
  return [...uncovered, { code: "hidden-members", path: "", message: hidden }];
}

/** The members of a recorded fingerprint that list the parts of the spec which it does not cover. */
interface RecordedWarnings {
  readonly version?: number;
  readonly warnings?: unknown;
}

/**
 * Returns the warnings about the resumed spec and the recorded warnings, because a part that was not hashed then may
 * have disappeared since. A record without a list of warnings causes a warning itself, because it does not name the
 * parts that were not hashed.
 */
export function addRecordedWarnings(
  current: readonly SpecWarning[],
  recorded: RecordedWarnings | null,
): readonly SpecWarning[] {
  if (recorded === null) {
    return [...current, limitedRecord("only the 32-bit hash was recorded: it can be the same for another spec")];
  }
  if (recorded.version === undefined || !isWarningList(recorded.warnings)) {
    return [...current, limitedRecord("the recorded fingerprint does not list all parts that were not hashed")];
  }
  const known = new Set(current.map(({ path, message }) => `${path} ${message}`));
  const gone = recorded.warnings.filter(({ path, message }) => !known.has(`${path} ${message}`));
  const recordedWarnings = gone.map(({ code, path, message }) => ({
    code,
    path: printable(path),
    message: printable(`when it was recorded: ${message}`),
  }));
  return [...current, ...recordedWarnings];
}

function limitedRecord(message: string): SpecWarning {
  return { code: "limited-record", path: "", message };
}

function isWarningList(warnings: unknown): warnings is readonly SpecWarning[] {
  return Array.isArray(warnings) && warnings.every((warning) => isPart(warning) && typeof warning.code === "string");
}

/**
 * Returns the parts that an adapter could not read. A malformed member `unseen` does not come from an adapter and is
 * ignored.
 */
export function unseenParts(unseen: unknown): readonly UnseenPart[] {
  return Array.isArray(unseen) && unseen.every(isPart) ? unseen : [];
}

function isPart(part: unknown): part is UnseenPart & { readonly code?: unknown } {
  const { path, message } = (part ?? {}) as { readonly path?: unknown; readonly message?: unknown };
  return typeof path === "string" && typeof message === "string";
}

function promptWarnings(prompt: SystemPrompt): SpecWarning[] {
  if (typeof prompt !== "function") return [];
  const path = "/systemPrompt";
  if (NATIVE.test(sourceOf(prompt))) {
    const message = "the prompt is a native or bound function: its source does not show its behavior. Use a text.";
    return [{ code: "native-prompt", path, message }];
  }
  const message = "the prompt is a function: only its source is hashed, not the values it closes over. Use a text.";
  return [{ code: "function-prompt", path, message }];
}

function pluginWarnings(ids: readonly unknown[]): SpecWarning[] {
  if (ids.length === 0) return [];
  const nameless = ids.flatMap((id, index): SpecWarning[] =>
    typeof id === "string"
      ? []
      : [{ code: "plugin-without-id", path: `/plugins/${index}`, message: "a plugin without an id is hashed as null" }],
  );
  const message = "plugins are hashed by id: give a plugin a new id when its behavior changes";
  return [{ code: "plugins-by-id", path: "/plugins", message }, ...nameless];
}

function externalWarnings(covered: SpecFields): SpecWarning[] {
  const warnings: SpecWarning[] = [];
  const warn = (code: SpecWarning["code"], path: string, message: string): void => {
    warnings.push({ code, path, message });
  };
  if (isUsed(covered.skills)) warn("skills-by-name", "/skills", "skills are hashed by name, not by their content");
  if (isUsed(covered.mcpServers)) {
    warn("mcp-tools", "/mcpServers", "the tools that MCP servers offer are not hashed; pin them with a lock file");
  }
  if (isUsed(covered.instructionFiles)) {
    warn("file-content", "/instructionFiles", "the configuration is hashed, not the content of the files");
  }
  const template = covered.promptTemplate;
  if (typeof template === "object" && template !== null && "path" in template) {
    warn("file-content", "/promptTemplate/path", "the path of the template is hashed, not the content of the file");
  }
  return warnings;
}

function isUsed(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

/**
 * Returns a warning for each schema that differs only in the second digest. The warning names the tool to which the
 * schema belongs.
 */
export function validationWarnings(pointers: readonly string[], payload: JsonObject): SpecWarning[] {
  return pointers.map((path) => {
    const tool = toolAt(path, payload);
    const owner = tool === undefined ? "" : `tool "${printable(tool)}": `;
    const reason = "its schema has the recorded JSON Schema, but its library writes different JSON for it";
    return { code: "schema-validation", path, message: `${owner}${reason}: its validation may have changed` };
  });
}

/**
 * Returns the name of the tool that contains the schema at the given place: its member `name`, or its key in a
 * collection of tools by name.
 */
function toolAt(pointer: string, payload: JsonObject): string | undefined {
  let value = payload;
  let tools: JsonValue | undefined;
  let tool: string | undefined;
  for (const segment of fromPointer(pointer)) {
    if (value === tools && isObject(tools)) tool = segment;
    value = ownMember(value, segment) as JsonObject;
    const name = ownMember(value, "name");
    if (tools !== undefined && typeof name === "string") tool = name;
    if (segment === "tools") tools = value;
  }
  return tool;
}
