import { copyLines, invalid, requireFunction, requireName } from "../check-argument.ts";
import { guarded } from "../errors.ts";
import type { HashOptions } from "../hash/hash-options.ts";
import { assertSchema, type SchemaOutput, type StandardSchema, type Validate } from "../hash/standard-schema.ts";
import { hashToolSpecStatic } from "../hash/tool-payload.ts";
import type { Tool } from "./composable.ts";
import type { CapabilityContext } from "./context.ts";
import { HashedDefinition } from "./hashed-definition.ts";
import { copyHooks, type Hooks } from "./hooks.ts";
import { copyPolicies, type Policy } from "./policy.ts";

/** Argument of {@link tool}. */
export interface ToolDefinition<Env, Schema extends StandardSchema, Output, Name extends string> {
  readonly name: Name;
  readonly description?: string | null | undefined;
  /** zod, valibot, ArkType, Effect Schema …, or `jsonSchema(object)`. */
  readonly inputSchema: Schema;
  readonly instructions?: readonly string[] | undefined;
  readonly policies?: readonly Policy<Env>[] | undefined;
  readonly hooks?: Hooks | undefined;
  /** Names of members of another library's definition that no hash of the tool covers; an adapter lists them. */
  readonly notHashed?: readonly string[] | undefined;
  /** Validates the input in place of `inputSchema`. Only `inputSchema` is hashed. */
  readonly validate?: Validate<SchemaOutput<Schema>> | undefined;
  /** Runs the tool. Its input is always validated first. */
  readonly handler: (ctx: CapabilityContext<Env>, input: SchemaOutput<Schema>) => Output | Promise<Output>;
}

/**
 * Defines a tool.
 *
 * @param definition - Name, description, input schema, instructions, policies, hooks and handler.
 * @returns A frozen tool with its `staticHash`.
 * @throws {@link CapabilityError} `invalid-argument` when a member of the definition has the wrong type
 * @throws {@link CapabilityError} `invalid-schema` when `inputSchema` is not a Standard Schema
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
  extends HashedDefinition
  implements Tool<Env, Schema, Output, Name>
{
  readonly kind = "tool";
  readonly name: Name;
  readonly description: string | undefined;
  readonly inputSchema: Schema;
  readonly instructions: readonly string[];
  readonly policies: readonly Policy[];
  readonly hooks: Hooks;
  readonly notHashed: readonly string[];
  readonly validate: Validate<SchemaOutput<Schema>> | undefined;
  readonly handler: (ctx: CapabilityContext<Env>, input: SchemaOutput<Schema>) => Output | Promise<Output>;

  constructor(definition: ToolDefinition<Env, Schema, Output, Name>) {
    super();
    const { name, inputSchema, validate, handler } = definition;
    const description = definition.description ?? undefined;
    requireName("tool name", name);
    if (description !== undefined && typeof description !== "string") {
      throw invalid(`tool "${name}": description`, "a string", description);
    }
    assertSchema(inputSchema, name);
    requireFunction(`tool "${name}": handler`, handler);
    if (validate !== undefined) requireFunction(`tool "${name}": validate`, validate);
    this.name = name;
    this.description = description;
    this.inputSchema = inputSchema;
    this.instructions = copyLines(`tool "${name}": instructions`, definition.instructions) ?? Object.freeze([]);
    this.policies = copyPolicies(`tool "${name}"`, definition.policies);
    this.hooks = copyHooks(definition.hooks);
    this.notHashed = copyLines(`tool "${name}": notHashed`, definition.notHashed) ?? Object.freeze([]);
    this.validate = validate;
    this.handler = handler;
    Object.freeze(this);
  }

  protected override hash(options: HashOptions): string {
    return hashToolSpecStatic(this, options);
  }
}
