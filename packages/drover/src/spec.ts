/** What hashing needs of a plugin: it is identified by `id` alone. */
export interface SpecPlugin {
  readonly id: string;
}

/** A system prompt: the text, or a function whose source stands for it. */
export type SystemPrompt = string | ((...args: never[]) => unknown);

/** A part of an agent that its spec shows by name only, or not at all. */
export interface UnseenPart {
  /** RFC 6901 JSON Pointer into the agent. */
  readonly path: string;
  /** What is not hashed there. */
  readonly message: string;
}

/**
 * The definition of an agent, as far as hashing is concerned. Fields that no coverage names may be present.
 *
 * Specification: "What's covered".
 */
export interface AgentSpec {
  readonly id: string;
  readonly systemPrompt: SystemPrompt;
  readonly tools?: unknown;
  readonly skills?: unknown;
  readonly mcpServers?: unknown;
  readonly model?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly subagents?: unknown;
  readonly outputRetries?: unknown;
  readonly quota?: unknown;
  readonly plugins?: readonly SpecPlugin[] | undefined;
  readonly memory?: unknown;
  readonly instructionFiles?: unknown;
  readonly promptTemplate?: unknown;
  /** What whoever made the spec of an agent could not put into it. It is not hashed, and each part is a warning. */
  readonly unseen?: readonly UnseenPart[] | undefined;
  /** Covered by older or newer published field lists only; see `SPEC_COVERAGE`. */
  readonly commands?: unknown;
  readonly compaction?: unknown;
  readonly description?: unknown;
  readonly lifecycle?: unknown;
  readonly maxTurns?: unknown;
  readonly timeoutMs?: unknown;
}
