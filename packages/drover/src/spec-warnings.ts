import { printable } from "@agentprint/canonical-json";
import { asInSpec, type SpecFields, source } from "./payload.ts";
import type { AgentSpec, SystemPrompt, UnseenPart } from "./spec.ts";
import { findUnseen, hasHiddenMembers } from "./unseen-values.ts";

/** Something that may change without changing any hash of the spec. */
export interface SpecWarning {
  readonly code:
    | "function-prompt"
    | "native-prompt"
    | "plugins-by-id"
    | "plugin-without-id"
    | "skills-by-name"
    | "mcp-tools"
    | "file-content"
    | "unhashed-function"
    | "schema-by-json-schema"
    | "custom-json"
    | "altered-value"
    | "hidden-members"
    | "uncovered-field"
    | "unseen-part"
    | "more-unseen";
  /** RFC 6901 JSON Pointer into the spec; of an `unseen-part`, into the agent that the spec was made of. */
  readonly path: string;
  readonly message: string;
}

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;

/** What the hash of these fields of a spec cannot see. Specification: "What's NOT covered". */
export function specWarnings(spec: AgentSpec, fields: SpecFields): readonly SpecWarning[] {
  return [
    ...promptWarnings(fields.systemPrompt),
    ...pluginWarnings(fields.pluginIds),
    ...externalWarnings(fields),
    ...memberWarnings(spec, fields),
    ...findUnseen(asInSpec({ ...fields, systemPrompt: null })).warnings,
    ...unseenParts(spec.unseen).map(({ path, message }): SpecWarning => ({ code: "unseen-part", path, message })),
  ];
}

/** Members of the spec itself that are not hashed. */
function memberWarnings(spec: AgentSpec, fields: SpecFields): SpecWarning[] {
  const names = Object.keys(spec).filter(
    (name) => !Object.hasOwn(fields, name) && name !== "plugins" && name !== "unseen",
  );
  const message = `the covered fields do not include ${printable(names.join(", "))}`;
  const uncovered: SpecWarning[] = names.length === 0 ? [] : [{ code: "uncovered-field", path: "", message }];
  if (!hasHiddenMembers(spec)) return uncovered;
  const hidden = "of a spec that is not a plain object only the covered fields are hashed";
  return [...uncovered, { code: "hidden-members", path: "", message: hidden }];
}

/** What an adapter says that it could not show; a member of another form is not from one. */
export function unseenParts(unseen: unknown): readonly UnseenPart[] {
  const isPart = (part: unknown): boolean => {
    const { path, message } = (part ?? {}) as { readonly path?: unknown; readonly message?: unknown };
    return typeof path === "string" && typeof message === "string";
  };
  return Array.isArray(unseen) && unseen.every(isPart) ? unseen : [];
}

function promptWarnings(prompt: SystemPrompt): SpecWarning[] {
  if (typeof prompt !== "function") return [];
  const path = "/systemPrompt";
  if (NATIVE.test(source(prompt))) {
    const message = "the prompt is a native or bound function: its source does not show what it does. Use a text.";
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
  const message = "plugins are hashed by id: give a plugin a new id when its behaviour changes";
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
