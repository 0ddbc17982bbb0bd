import { toPointer } from "@agentprint/canonical-json";
import { asInSpec, type SpecPayload, source } from "./payload.ts";
import type { SystemPrompt } from "./spec.ts";

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
    | "unhashed-function";
  /** RFC 6901 JSON Pointer into the spec. */
  readonly path: string;
  readonly message: string;
}

const NATIVE = /\{\s*\[native code\]\s*\}\s*$/;
const MOST_FUNCTIONS = 20;

/** What the hash cannot see. Specification: "What's NOT covered". */
export function specWarnings(prompt: SystemPrompt, covered: SpecPayload): readonly SpecWarning[] {
  return [
    ...promptWarnings(prompt),
    ...pluginWarnings(covered.pluginIds),
    ...externalWarnings(covered),
    ...functionWarnings(asInSpec(covered)),
  ];
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

function pluginWarnings(ids: unknown): SpecWarning[] {
  if (!Array.isArray(ids) || ids.length === 0) return [];
  const nameless = ids.flatMap((id, index): SpecWarning[] =>
    typeof id === "string"
      ? []
      : [{ code: "plugin-without-id", path: `/plugins/${index}`, message: "a plugin without an id is hashed as null" }],
  );
  const message = "plugins are hashed by id: give a plugin a new id when its behaviour changes";
  return [{ code: "plugins-by-id", path: "/plugins", message }, ...nameless];
}

function externalWarnings(covered: SpecPayload): SpecWarning[] {
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

/** JSON drops functions: two specs that differ in one alone hash the same. */
function functionWarnings(covered: object): SpecWarning[] {
  const warnings: SpecWarning[] = [];
  const open = [{ value: covered, path: "" }];
  const seen = new Set([covered]);
  for (let next = open.pop(); next !== undefined && warnings.length < MOST_FUNCTIONS; next = open.pop()) {
    for (const [key, value] of Object.entries(next.value)) {
      const path = `${next.path}${toPointer([key])}`;
      if (typeof value === "function") {
        warnings.push({ code: "unhashed-function", path, message: "a function is not hashed" });
      } else if (typeof value === "object" && value !== null && !seen.has(value)) {
        seen.add(value);
        open.push({ value, path });
      }
    }
  }
  return warnings.slice(0, MOST_FUNCTIONS);
}
