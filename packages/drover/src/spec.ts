/** The hashed part of a plugin: only its `id`. */
export interface SpecPlugin {
  readonly id: string;
}

/** A system prompt: text, or a function, whose source text is hashed. */
export type SystemPrompt = string | ((...args: never[]) => unknown);

/** A part of an agent that its spec shows only by name or not at all. */
export interface UnseenPart {
  /** RFC 6901 JSON Pointer into the agent. */
  readonly path: string;
  /** A message that says which part is not hashed. */
  readonly message: string;
}

/**
 * The hashed parts of an agent's definition. The definition may have further members, which no hash covers.
 *
 * @see Spec hash of an agent, "What's covered"
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
  /** The parts of the agent that the adapter could not put into the spec. They are not hashed; each causes a warning. */
  readonly unseen?: readonly UnseenPart[] | undefined;
  /** Only some of the published field lists cover the following members; see `SPEC_COVERAGE`. */
  readonly commands?: unknown;
  readonly compaction?: unknown;
  readonly description?: unknown;
  readonly lifecycle?: unknown;
  readonly maxTurns?: unknown;
  readonly timeoutMs?: unknown;
}
