import { isJsonObject, type JsonObject } from "@agentprint/canonical-json/json-value";
import { count } from "@agentprint/findings";
import { type CapabilityManifest, type ManifestTool, parseManifest } from "@agentprint/manifest";
import type { LockedServer } from "@agentprint/mcp-lock";

/** A part of a server that a manifest cannot hold, or holds in a changed form. */
export interface MappingNote {
  readonly subject: string;
  readonly note: string;
}

const DRAFT = "https://json-schema.org/draft/2020-12/schema";
/** The members of a tool for which a manifest has a place. */
const MAPPED: ReadonlySet<string> = new Set(["name", "inputSchema"]);

/**
 * Returns a manifest of a server's tools, all under one scope of medium sensitivity, and notes on missing parts. Tools
 * that no manifest can hold are left out. If the other tools together are too large, a note says so, and the author
 * chooses.
 */
export function manifestFromServer({ name: server, parts, tools, ...others }: LockedServer): {
  readonly manifest: CapabilityManifest;
  readonly notes: readonly MappingNote[];
} {
  const notes: MappingNote[] = [];
  const scope = `mcp:${snakeCase(server) || "server"}`;
  const taken = new Set<string>();
  const mapped = tools.flatMap(({ definition: tool }) => {
    const add = (note: string): void => void notes.push({ subject: String(tool["name"]), note });
    const made = toolFrom(tool, scope, taken, add);
    if (made) taken.add(made.name);
    return made ? [made] : [];
  });
  const { prompts, resources, resourceTemplates } = others;
  for (const [noun, { length }] of Object.entries({
    prompt: prompts,
    resource: resources,
    "resource template": resourceTemplates,
  })) {
    if (length > 0) notes.push({ subject: server, note: `a manifest has no place for ${count(length, noun)}` });
  }
  if (parts.some(({ part }) => part === "instructions"))
    notes.push({ subject: server, note: "a manifest has no place for instructions" });
  const manifest = manifestOf(scope, mapped);
  for (const note of problemsOf(manifest)) notes.push({ subject: server, note });
  if (mapped.length > 0) notes.push({ subject: scope, note: "review the sensitivity, medium, and the i18n keys" });
  return { manifest, notes };
}

/** Returns the issues or warnings that `manifest validate` reports. */
function problemsOf(manifest: CapabilityManifest): string[] {
  const parsed = parseManifest(manifest);
  if (!parsed.ok) return parsed.issues.map(({ message, code }) => `not valid yet: ${message} (${code})`);
  return parsed.warnings.map(({ path, message, code }) => `${path && `at ${path}: `}${message} (${code})`);
}

function toolFrom(
  tool: JsonObject,
  scope: string,
  taken: ReadonlySet<string>,
  add: (note: string) => void,
): ManifestTool | undefined {
  const name = snakeCase(String(tool["name"]));
  const schema = tool["inputSchema"];
  if (name === "" || taken.has(name)) {
    add(name === "" ? "left out: its name has no snake_case form" : `left out: ${name} is the name of another tool`);
    return undefined;
  }
  if (!isJsonObject(schema) || schema["type"] !== "object") {
    add("left out: its inputSchema does not describe an object");
    return undefined;
  }
  if (name !== tool["name"]) add(`renamed to ${name}`);
  if (schema["additionalProperties"] !== false)
    add("its inputSchema allowed other properties; additionalProperties is false now");
  if (schema["$schema"] !== undefined && schema["$schema"] !== DRAFT) add("its inputSchema named another dialect");
  const lost = Object.keys(tool).filter((member) => !MAPPED.has(member));
  if (lost.length > 0) add(`not carried over: ${lost.join(", ")}`);
  const { $schema: _, ...keywords } = schema;
  const made: ManifestTool = {
    name,
    description_i18n_key: `agent.tools.${name}.desc`,
    input_schema: { ...keywords, type: "object", additionalProperties: false },
    permission_scope: scope,
  };
  const parsed = parseManifest(manifestOf(scope, [made]));
  if (parsed.ok) return made;
  add(`left out: ${parsed.issues[0]?.message}`);
  return undefined;
}

function manifestOf(scope: string, tools: readonly ManifestTool[]): CapabilityManifest {
  return {
    schema_version: "1.0",
    agent_version: "0.1.0",
    tools,
    permission_scopes: [
      { id: scope, label_i18n_key: `agent.scopes.${scope.replace(":", "_")}.label`, sensitivity: "medium" },
    ],
    capability_flags: {},
  };
}

/** Returns a name in snake case, such as `read_file` for `readFile`, `read-file` and `Read File`; `""` for a name without a letter. */
function snakeCase(name: string): string {
  return name
    .slice(0, 200)
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "_")
    .replace(/^[_\d]+|_$/g, "");
}
