import type { Hooks } from "./hooks.ts";

/** The argument of policies, handlers and dynamic toolkits: the application's `env`, and the agent that is running. */
export interface CapabilityContext<Env = unknown> {
  readonly env: Env;
  readonly agentId?: string;
  readonly agentName?: string;
  /** Ends an evaluation or an execution early. Handlers receive it, too. */
  readonly signal?: AbortSignal;
  /**
   * Observers of everything that happens with this context. They are called after the observers of toolkits and tools.
   */
  readonly hooks?: Hooks;
}
