import type { StandardSchema } from "./standard-schema.ts";

/**
 * How long a policy's answer holds: `live` is evaluated again at each execution, `snapshot` holds from the evaluation
 * on.
 */
export type ExecuteBinding = "live" | "snapshot";

/** The hashed part of a policy. */
export interface PolicyBinding {
  readonly id: string;
  readonly executeBinding: ExecuteBinding;
}

/** The hashed part of a tool, whether the tool was defined, evaluated or read from the wire. */
export interface ToolSpec<Schema extends StandardSchema = StandardSchema> {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
  /** Lines for the model, in the order in which they were written. */
  readonly instructions: readonly string[];
  readonly policies: readonly PolicyBinding[];
}

/** Returns the hashed part of policies, in the order of the policies. */
export function bindingsOf(policies: readonly PolicyBinding[]): PolicyBinding[] {
  return policies.map(({ id, executeBinding = "live" }) => ({ id, executeBinding }));
}
