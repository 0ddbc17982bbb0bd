import type { CapabilityContext } from "./context.ts";
import { CapabilityError } from "./errors.ts";
import type { Hooks } from "./hooks.ts";
import type { JsonSchemaOptions } from "./json-schema.ts";
import type { Policy } from "./policy.ts";

/** What an adapter adds to a tool of another library. */
export interface AdapterOptions<Env = unknown> {
  readonly instructions?: readonly string[] | undefined;
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Checks an input; needed to run a tool whose schema is plain JSON Schema. */
  readonly validate?: JsonSchemaOptions<unknown>["validate"] | undefined;
  /** Runs the tool in place of the library. */
  readonly handler?: (ctx: CapabilityContext<Env>, input: unknown) => unknown;
}

/** The handler of a tool that can be hashed but not run. */
export function missingHandler(name: string): () => never {
  return () => {
    throw new CapabilityError("missing-handler", `tool "${name}" has no handler: pass one to the adapter`, {
      toolName: name,
    });
  };
}

/** Refuses a definition that has no fingerprint, and says what to do. */
export function unadaptable(what: string, advice: string): CapabilityError {
  return new CapabilityError("invalid-argument", `${what}: ${advice}`);
}
