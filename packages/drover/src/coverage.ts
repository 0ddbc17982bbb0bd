import { deepFreeze } from "@agentprint/canonical-json";
import { SpecError } from "./errors.ts";

/** A field of the hashed object: a field of the spec, or `pluginIds`. */
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

/** The published field lists, by name. */
export type SpecCoverage = "spec" | "docV1" | "docV2" | "docV3" | "codeV3p" | "codeV4" | "codeV5";

/**
 * The fields each published version of the hash covers, in the order in which they are written.
 *
 * `spec` is the specification's list and the default. The others check runs that other versions recorded.
 *
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

/** Fields written as `null` when the spec leaves them out; the others are omitted. */
export const NULL_WHEN_ABSENT: ReadonlySet<SpecField> = new Set<SpecField>([
  "quota",
  "memory",
  "instructionFiles",
  "promptTemplate",
  "lifecycle",
  "description",
  "compaction",
]);

export function coveredFields(coverage: SpecCoverage): readonly SpecField[] {
  if (Object.hasOwn(SPEC_COVERAGE, coverage)) return SPEC_COVERAGE[coverage];
  const names = Object.keys(SPEC_COVERAGE).join(", ");
  throw new SpecError("unknown-coverage", "", `coverage must be one of ${names}; received ${String(coverage)}`);
}
