import type { Hooks } from "./hooks.ts";

/** What policies, handlers and dynamic toolkits are given: the application's `env`, and who and what is running. */
export interface CapabilityContext<Env = unknown> {
  readonly env: Env;
  readonly agentId?: string;
  readonly agentName?: string;
  /** Ends an evaluation or an execution early; handlers get it too. */
  readonly signal?: AbortSignal;
  /** Observers of everything that happens with this context; called after those of toolkits and tools. */
  readonly hooks?: Hooks;
}
