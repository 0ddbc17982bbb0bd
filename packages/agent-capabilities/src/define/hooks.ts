import type { CapabilityError } from "../errors.ts";

/** A policy was asked. Each call of a policy's `evaluate` causes exactly one event. */
export interface PolicyEvaluatedEvent {
  readonly policyId: string;
  readonly ok: boolean;
  /** The kind of composable whose policies were evaluated, or `"execution"` when a live policy is evaluated again. */
  readonly phase: "tool" | "toolkit" | "dynamicToolkit" | "execution";
  /** Name of the tool or toolkit. */
  readonly name: string;
  /** The `policy-failed` error, when the policy threw. */
  readonly error?: CapabilityError;
  readonly env: unknown;
}

/** A tool was run, with validated input. */
export interface ToolExecutedEvent {
  readonly toolName: string;
  readonly ok: boolean;
  readonly input: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly env: unknown;
}

/** Observers of policies and tools. They are awaited, and are not part of any hash. */
export interface Hooks {
  readonly onPolicyEvaluated?: (event: PolicyEvaluatedEvent) => void | Promise<void>;
  readonly onToolExecuted?: (event: ToolExecutedEvent) => void | Promise<void>;
}

/** Returns a frozen copy of hooks. */
export function copyHooks(hooks: Hooks | undefined): Hooks {
  return hooks === undefined ? NONE : Object.freeze({ ...hooks });
}

const NONE: Hooks = Object.freeze({});
