import { type ComposableBase, copyHooks, copyPolicies, Hashed } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import { guarded } from "./guarded.ts";
import type { HashOptions } from "./hash-options.ts";
import type { Hooks } from "./hooks.ts";
import type { Policy, PolicyBinding } from "./policy.ts";
import { copyLines, invalid, requireFunction, requireName } from "./require.ts";
import { assertSchema } from "./schema-hash-input.ts";
import type { SchemaOutput, StandardSchema } from "./standard-schema.ts";
import { hashToolSpecStatic } from "./tool-payload.ts";

/** The hashed part of a tool, whether defined, evaluated or replayed from the wire. */
export interface ToolSpec<Schema extends StandardSchema = StandardSchema> {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Schema;
  /** Lines for the model, in the order in which they were written. */
  readonly instructions: readonly string[];
  readonly policies: readonly PolicyBinding[];
}

/** A tool: what the model sees of it, who may use it, and the handler that runs it. */
export interface Tool<
  Env = never,
  Schema extends StandardSchema = StandardSchema,
  Output = unknown,
  Name extends string = string,
> extends ComposableBase<"tool">,
    ToolSpec<Schema> {
  readonly name: Name;
  readonly policies: readonly Policy[];
  handler(ctx: CapabilityContext<Env>, input: SchemaOutput<Schema>): Output | Promise<Output>;
  /** Carries the type of the environment; never set. */
  readonly "~env"?: (env: Env) => void;
}

/** Argument of {@link tool}. */
export interface ToolDefinition<Env, Schema extends StandardSchema, Output, Name extends string> {
  readonly name: Name;
  readonly description?: string | null | undefined;
  /** zod, valibot, ArkType, Effect Schema …, or `jsonSchema(object)`. */
  readonly inputSchema: Schema;
  readonly instructions?: readonly string[] | undefined;
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Runs the tool. It is only ever given input that the schema has validated. */
  readonly handler: (ctx: CapabilityContext<Env>, input: SchemaOutput<Schema>) => Output | Promise<Output>;
}

/**
 * Defines a tool.
 *
 * @param definition - Name, description, input schema, instructions, policies, hooks and handler.
 * @returns A frozen tool with its `staticHash`.
 * @throws {CapabilityError} `invalid-argument` or `invalid-schema`.
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { tool } from "@agentprint/agent-capabilities";
 * import { z } from "zod";
 *
 * const add = tool({
 *   name: "add",
 *   description: "Adds two numbers",
 *   inputSchema: z.object({ a: z.number(), b: z.number() }),
 *   handler: (_ctx, { a, b }) => a + b,
 * });
 * add.staticHash.length; // 64
 * ```
 */
export function tool<Schema extends StandardSchema, Output, const Name extends string, Env = unknown>(
  definition: ToolDefinition<Env, Schema, Output, Name>,
): Tool<Env, Schema, Output, Name> {
  return guarded("invalid-argument", "the definition of a tool", () => new DefinedTool(definition));
}

class DefinedTool<Env, Schema extends StandardSchema, Output, Name extends string>
  extends Hashed
  implements Tool<Env, Schema, Output, Name>
{
  readonly kind = "tool";
  readonly name: Name;
  readonly description: string | undefined;
  readonly inputSchema: Schema;
  readonly instructions: readonly string[];
  readonly policies: readonly Policy[];
  readonly hooks: Hooks;
  readonly handler: (ctx: CapabilityContext<Env>, input: SchemaOutput<Schema>) => Output | Promise<Output>;

  constructor(definition: ToolDefinition<Env, Schema, Output, Name>) {
    super();
    const { name, inputSchema, handler } = definition;
    const description = definition.description ?? undefined;
    requireName("tool name", name);
    if (description !== undefined && typeof description !== "string") {
      throw invalid(`tool "${name}": description`, "a string", description);
    }
    assertSchema(inputSchema, name);
    requireFunction(`tool "${name}": handler`, handler);
    this.name = name;
    this.description = description;
    this.inputSchema = inputSchema;
    this.instructions = copyLines(`tool "${name}": instructions`, definition.instructions) ?? Object.freeze([]);
    this.policies = copyPolicies(`tool "${name}"`, definition.policies);
    this.hooks = copyHooks(definition.hooks);
    this.handler = handler;
    Object.freeze(this);
  }

  protected override hash(options: HashOptions): string {
    return hashToolSpecStatic(this, options);
  }
}
