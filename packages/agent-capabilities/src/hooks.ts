import { CapabilityError, reasonOf } from "./errors.ts";

/** A policy was asked. Exactly one event for each time that `evaluate` of a policy ran. */
export interface PolicyEvaluatedEvent {
  readonly policyId: string;
  readonly ok: boolean;
  /** Whose policies were being resolved, or `"execution"` when a live policy is asked again. */
  readonly phase: "tool" | "toolkit" | "dynamicToolkit" | "execution";
  /** Name of that tool or toolkit. */
  readonly name: string;
  /** Why the policy failed, when it threw. */
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

/** Calls one hook of each observer, outermost first. A hook that throws is an error of its own. */
export async function notify<Name extends keyof Hooks>(
  observers: readonly Hooks[],
  name: Name,
  event: Parameters<NonNullable<Hooks[Name]>>[0],
): Promise<void> {
  for (const observer of observers) {
    const hook = observer[name] as ((event: unknown) => void | Promise<void>) | undefined;
    try {
      await hook?.call(observer, event);
    } catch (cause) {
      throw new CapabilityError("hook-failed", `hook ${name} failed: ${reasonOf(cause)}`, { cause });
    }
  }
}
