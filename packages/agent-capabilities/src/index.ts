export type { Composable, DynamicToolkit, EnvOf, Tool, Toolkit } from "./define/composable.ts";
export type { CapabilityContext } from "./define/context.ts";
export {
  type DynamicToolkitDefinition,
  type DynamicToolkitPayload,
  dynamicToolkit,
  dynamicToolkitCanonicalPayload,
} from "./define/dynamic-toolkit.ts";
export type { Hooks, PolicyEvaluatedEvent, ToolExecutedEvent } from "./define/hooks.ts";
export { type Policy, policy } from "./define/policy.ts";
export {
  type AgentDefinition,
  createRegisteredAgent,
  type RegisteredAgent,
  type RegisteredAgentPayload,
  registeredAgentCanonicalPayload,
} from "./define/registered-agent.ts";
export { collectToolStaticHashes } from "./define/static-tools.ts";
export { type ToolDefinition, tool } from "./define/tool.ts";
export { type ToolkitOptions, type ToolkitPayload, toolkit, toolkitCanonicalPayload } from "./define/toolkit.ts";
export { CapabilityError, type CapabilityErrorCode, type InputIssue } from "./errors.ts";
export { type EvaluateOptions, type Evaluation, evaluateComposable } from "./evaluate/evaluate-composable.ts";
export type { EvaluatedTool, ExecuteOptions } from "./evaluate/evaluated-tool.ts";
export type { EvaluatedTools } from "./evaluate/evaluated-tools.ts";
export {
  computeRuntimeCapabilitiesFromEvaluation,
  computeRuntimeHash,
  type RuntimeOptions,
  type RuntimePayload,
  runtimeCapabilityCanonicalPayload,
  type ToolRef,
} from "./evaluate/runtime-hash.ts";
export type { HashOptions, SchemaOptions, SortOptions } from "./hash/hash-options.ts";
export { hashPlainObject } from "./hash/hash-plain-object.ts";
export {
  computeInvocationContextHash,
  type InvocationOptions,
  type InvocationPayload,
  invocationContextCanonicalPayload,
  normalizeInvocationContextForHash,
} from "./hash/invocation-context.ts";
export { type JsonSchemaOptions, type JsonSchemaWrapper, jsonSchema } from "./hash/json-schema.ts";
export { schemaToHashInput } from "./hash/schema-hash-input.ts";
export type {
  SchemaInput,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
  Validate,
} from "./hash/standard-schema.ts";
export { hashToolSpecStatic, type ToolPayload, toolSpecCanonicalPayload } from "./hash/tool-payload.ts";
export type { ExecuteBinding, PolicyBinding, ToolSpec } from "./hash/tool-spec.ts";
export { hydrateToolSpec, type ToolSpecWire, toolSpecToWire } from "./hash/tool-wire.ts";
export {
  type CapabilityLink,
  type CapabilityLinkArguments,
  computeFullCapabilityLink,
  createCapabilityLink,
  type FullCapabilityLink,
  type FullCapabilityLinkArguments,
  type InvocationArguments,
} from "./link/capability-link.ts";
export {
  type CapabilityLinkField,
  type CapabilityLinksDiff,
  type DiffToolRefsOptions,
  diffCapabilityLinks,
  diffToolRefs,
  type ToolRefsDiff,
} from "./link/diff-links.ts";
export {
  type CapabilitySnapshotsDiff,
  diffCapabilitySnapshots,
  findSnapshotContradictions,
  type SnapshotContradiction,
} from "./link/diff-snapshots.ts";
export {
  type CapabilityLinkExplanation,
  type CapabilityLinkRelationship,
  explainCapabilityLinkRelationship,
} from "./link/explain-links.ts";
export { formatHashShort } from "./link/format-hash-short.ts";
export { parseCapabilityLink, parseToolRefs } from "./link/parse-link.ts";
export {
  type CapabilitySnapshot,
  createCapabilitySnapshot,
  parseCapabilitySnapshot,
} from "./link/snapshot.ts";
