import { checkArgument } from "../check-argument.ts";
import type { Tool } from "../define/composable.ts";
import { tool } from "../define/tool.ts";
import { guarded } from "../errors.ts";
import { jsonSchema } from "../hash/json-schema.ts";
import { isStandardSchema, type StandardSchema, type Validate } from "../hash/standard-schema.ts";
import { type AdapterOptions, unadaptable } from "./adapter-options.ts";
import { ownNamesNotHashed } from "./not-hashed.ts";

export type { AdapterOptions };

/**
 * The members of a LangChain structured tool that the adapter reads. `tool()` from `@langchain/core/tools` returns such
 * objects.
 */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  /** A zod schema, or JSON Schema. */
  readonly schema: unknown;
  invoke(input: never, config?: never): Promise<unknown>;
}

/**
 * Turns a LangChain structured tool into a tool of this package.
 *
 * @param source - The result of `tool()` from `@langchain/core/tools`.
 * @param options - Instructions, policies and hooks to add; `handler` instead of `invoke`; `validate` for a tool with
 * a JSON Schema.
 * @returns A tool that runs `invoke` with the context's signal. `notHashed` names the members that its hash leaves out,
 * such as `func` and `returnDirect`.
 * @throws {@link CapabilityError} `invalid-argument` when the schema is neither a Standard Schema nor an object
 * @throws {@link CapabilityError} `invalid-schema` when it is not JSON Schema
 * @see Capability hashing, "Tool static hash (`kind: "tool"`)"
 * @example
 * ```ts
 * import { fromLangChainTool } from "@agentprint/agent-capabilities/langchain";
 * import { z } from "zod";
 *
 * const add = fromLangChainTool({ name: "add", description: "", schema: z.number(), invoke: async (n: number) => n + 1 });
 * add.kind; // "tool"
 * ```
 */
export function fromLangChainTool<Env = unknown>(
  source: LangChainTool,
  options: AdapterOptions<Env> = {},
): Tool<Env, StandardSchema, unknown> {
  checkArgument("options", options, "object");
  const { name, description, schema, notHashed } = guarded("invalid-argument", "LangChain tool", () => ({
    name: source.name,
    description: source.description,
    schema: source.schema,
    notHashed: membersNotHashed(source),
  }));
  return tool<StandardSchema, unknown, string, Env>({
    handler: ({ signal }, input) => source.invoke(input as never, (signal && { signal }) as never),
    ...options,
    validate: options.validate ?? validationOf(name, schema),
    name,
    description,
    notHashed,
    inputSchema: schemaOf(name, schema, options),
  });
}

const COVERED = ["name", "description", "schema", "lc_kwargs", "lc_runnable", "lc_serializable"];

/**
 * Returns the names of the members that no hash covers: the tool's own members, those of the arguments that made it,
 * and `invoke`, which its class has.
 */
function membersNotHashed(source: LangChainTool): readonly string[] {
  const { lc_kwargs: given } = source as { readonly lc_kwargs?: unknown };
  const ofArguments = typeof given === "object" && given !== null ? ownNamesNotHashed(given, COVERED) : [];
  return [...new Set(["invoke", ...ofArguments, ...ownNamesNotHashed(source, COVERED)])].sort();
}

function isLibrarySchema(name: string, schema: unknown): schema is StandardSchema {
  return guarded("invalid-schema", `LangChain tool "${name}": its schema`, () => isStandardSchema(schema));
}

/**
 * Returns the schema to hash: the object itself, because a library may associate text with its identity, as zod does.
 */
function schemaOf(name: string, schema: unknown, { validate }: Pick<AdapterOptions, "validate">): StandardSchema {
  if (isLibrarySchema(name, schema)) return schema;
  if (typeof schema !== "object" || schema === null) {
    throw unadaptable(`LangChain tool "${name}"`, "expected a schema that is a Standard Schema or JSON Schema");
  }
  return jsonSchema(schema, { validate });
}

/** Accepts what the schema accepts and returns it unchanged, because `invoke` validates and transforms it itself. */
function validationOf(name: string, schema: unknown): Validate | undefined {
  if (!isLibrarySchema(name, schema)) return undefined;
  return async (value) => {
    const result = await schema["~standard"].validate(value);
    return result.issues ? result : { value };
  };
}
