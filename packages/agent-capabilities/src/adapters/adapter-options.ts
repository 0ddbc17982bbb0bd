import type { CapabilityContext } from "../define/context.ts";
import type { Hooks } from "../define/hooks.ts";
import type { Policy } from "../define/policy.ts";
import { CapabilityError } from "../errors.ts";
import type { Validate } from "../hash/standard-schema.ts";

/** An adapter's options, which add to the definition of another library's tool. */
export interface AdapterOptions<Env = unknown> {
  readonly instructions?: readonly string[] | undefined;
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Validates input in place of the schema. Without it, a tool whose schema is plain JSON Schema cannot run. */
  readonly validate?: Validate | undefined;
  /** Runs the tool instead of the library's function. */
  readonly handler?: (ctx: CapabilityContext<Env>, input: unknown) => unknown;
}

/** Returns a handler that throws, for a tool that can be hashed but not run. */
export function missingHandler(name: string): () => never {
  return () => {
    throw new CapabilityError("missing-handler", `tool "${name}" has no handler: pass one to the adapter`, {
      toolName: name,
    });
  };
}

/** Returns the error for a definition that an adapter cannot handle. */
export function unadaptable(what: string, advice: string): CapabilityError {
  return new CapabilityError("invalid-argument", `${what}: ${advice}`);
}
