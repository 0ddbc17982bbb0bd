import { LEVELS } from "@agentprint/findings";
import fc from "fast-check";
import { CHECK_DECISIONS, SCREENINGS } from "../../src/apply/decisions.ts";
import { type Call, GUARD_DECISIONS, type PolicyDocument, type PolicyFinding, PRESET_NAMES } from "../../src/index.ts";

const RULE_IDS = ["mcp/tool-prose-changed", "mcp/item-added", "mcp/tool-rest-changed", "manifest/tool_added"];
const SERVERS = ["files", "web"];
const TOOLS = ["read", "write"];
const PATHS = ["/a", "/b", "/a/c", "/a/../b", "a"];

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
/** Generates objects without their undefined members. */
const record = <T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(members).map((value) => JSON.parse(JSON.stringify(value)));

const check = fc.constantFrom(...CHECK_DECISIONS);
const guard = fc.constantFrom(...GUARD_DECISIONS);
const preset = optional(fc.constantFrom(...PRESET_NAMES));
const failOn = optional(fc.constantFrom(...LEVELS));
const rules = fc.dictionary(
  fc.constantFrom(...RULE_IDS),
  fc.oneof(check, record({ check: optional(check), guard: optional(guard) })),
  { maxKeys: 3 },
);
const ignore = record({
  rule: fc.constantFrom(...RULE_IDS),
  server: optional(fc.constantFrom(...SERVERS)),
  tool: optional(fc.constantFrom(...TOOLS)),
  path: optional(fc.constantFrom("", "/name")),
  until: fc.constantFrom("2026-06-14", "2026-06-15", "2026-12-31"),
  reason: fc.constant("agreed"),
});
const text = record({
  type: fc.constant("string"),
  "path-within": optional(fc.oneof(fc.constantFrom("/a", "/b", "/a/c"), fc.constant(["/a", "/b"]))),
  maxLength: optional(fc.constantFrom(2, 4)),
});
const schema = record({
  type: fc.constant("object"),
  properties: record({ path: fc.oneof(text, record({ anyOf: fc.array(text, { minLength: 1, maxLength: 2 }) })) }),
  required: optional(fc.constant(["path"])),
});
const call = record({
  deny: optional(fc.boolean()),
  ask: optional(fc.boolean()),
  maxPerMinute: optional(fc.integer({ min: 1, max: 3 })),
  arguments: optional(schema),
});
const results = optional(record({ screen: optional(fc.constantFrom(...SCREENINGS)) }));
const server = record({
  preset,
  failOn,
  rules: optional(rules),
  calls: optional(fc.dictionary(fc.constantFrom(...TOOLS), call, { maxKeys: 2 })),
  results,
});

/** Policies about a few rules, servers and tools, so that two policies often decide about the same finding. */
export const policies: fc.Arbitrary<PolicyDocument> = record({
  preset,
  failOn,
  rules: optional(rules),
  ignores: optional(fc.array(ignore, { maxLength: 2 })),
  results,
  servers: optional(fc.dictionary(fc.constantFrom(...SERVERS), server, { maxKeys: 2 })),
});

/**
 * Findings for each rule, level and server, some of which are remarks. Findings of rules that presets name are never
 * notes.
 */
export const FINDINGS: readonly PolicyFinding[] = [...RULE_IDS, "mcp/launch-changed"].flatMap((rule) =>
  LEVELS.filter((level) => level !== "note" || !rule.startsWith("mcp/")).flatMap((level) =>
    [...SERVERS, "other"].flatMap((name): PolicyFinding[] => {
      const finding = { rule, level, place: { subject: name, server: name, tool: "read", pointer: "/name" } };
      return [finding, ...(rule.startsWith("manifest/") ? [{ ...finding, isRemark: true as const }] : [])];
    }),
  ),
);

/** Calls about which policies decide differently. */
export const CALLS: readonly Call[] = SERVERS.flatMap((name) =>
  TOOLS.flatMap((tool) => [
    ...PATHS.map((path) => ({ server: name, tool, arguments: { path } })),
    { server: name, tool },
  ]),
);
