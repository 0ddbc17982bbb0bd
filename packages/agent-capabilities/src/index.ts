export {
  type CapabilityLink,
  type CapabilityLinkArguments,
  computeFullCapabilityLink,
  createCapabilityLink,
  type FullCapabilityLink,
  type FullCapabilityLinkArguments,
  type InvocationArguments,
} from "./capability-link.ts";
export type { Composable } from "./composable.ts";
export type { CapabilityContext } from "./context.ts";
export {
  type CapabilityLinkField,
  type CapabilityLinksDiff,
  type DiffToolRefsOptions,
  diffCapabilityLinks,
  diffToolRefs,
  type ToolRefsDiff,
} from "./diff.ts";
export {
  type DynamicToolkit,
  type DynamicToolkitDefinition,
  type DynamicToolkitPayload,
  dynamicToolkit,
  dynamicToolkitCanonicalPayload,
} from "./dynamic-toolkit.ts";
export { CapabilityError, type CapabilityErrorCode, type InputIssue } from "./errors.ts";
export { type EvaluateOptions, type Evaluation, evaluateComposable } from "./evaluate.ts";
export type { EvaluatedTool, ExecuteOptions } from "./evaluated-tool.ts";
export type { EnvOf, EvaluatedTools } from "./evaluated-types.ts";
export {
  type CapabilityLinkExplanation,
  type CapabilityLinkRelationship,
  explainCapabilityLinkRelationship,
} from "./explain.ts";
export { formatHashShort } from "./format-hash-short.ts";
export type { HashOptions, SchemaOptions, SortOptions } from "./hash-options.ts";
export { hashPlainObject } from "./hash-plain-object.ts";
export type { Hooks, PolicyEvaluatedEvent, ToolExecutedEvent } from "./hooks.ts";
export {
  computeInvocationContextHash,
  type InvocationOptions,
  type InvocationPayload,
  invocationContextCanonicalPayload,
  normalizeInvocationContextForHash,
} from "./invocation-context.ts";
export { type JsonSchemaOptions, type JsonSchemaWrapper, jsonSchema } from "./json-schema.ts";
export { parseCapabilityLink, parseToolRefs } from "./parse-link.ts";
export { type ExecuteBinding, type Policy, type PolicyBinding, policy } from "./policy.ts";
export {
  type AgentDefinition,
  createRegisteredAgent,
  type RegisteredAgent,
  type RegisteredAgentPayload,
  registeredAgentCanonicalPayload,
} from "./registered-agent.ts";
export {
  computeRuntimeCapabilitiesFromEvaluation,
  computeRuntimeHash,
  type RuntimeOptions,
  type RuntimePayload,
  runtimeCapabilityCanonicalPayload,
  type ToolRef,
} from "./runtime.ts";
export { schemaToHashInput } from "./schema-hash-input.ts";
export {
  type CapabilitySnapshot,
  createCapabilitySnapshot,
  parseCapabilitySnapshot,
} from "./snapshot.ts";
export {
  type CapabilitySnapshotsDiff,
  diffCapabilitySnapshots,
  findSnapshotContradictions,
  type SnapshotContradiction,
} from "./snapshot-diff.ts";
export type { SchemaInput, SchemaIssue, SchemaOutput, SchemaResult, StandardSchema } from "./standard-schema.ts";
export { collectToolStaticHashes } from "./static-tools.ts";
export { type Tool, type ToolDefinition, type ToolSpec, tool } from "./tool.ts";
export { hashToolSpecStatic, type ToolPayload, toolSpecCanonicalPayload } from "./tool-payload.ts";
export { type Toolkit, type ToolkitOptions, type ToolkitPayload, toolkit, toolkitCanonicalPayload } from "./toolkit.ts";
export { hydrateToolSpec, type ToolSpecWire, toolSpecToWire } from "./wire.ts";
