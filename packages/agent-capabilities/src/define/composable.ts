import type { HashOptions } from "../hash/hash-options.ts";
import type { SchemaOutput, StandardSchema, Validate } from "../hash/standard-schema.ts";
import type { ToolSpec } from "../hash/tool-spec.ts";
import type { CapabilityContext } from "./context.ts";
import type { Hooks } from "./hooks.ts";
import type { Policy } from "./policy.ts";

/** The members that tools, toolkits and dynamic toolkits have in common. */
interface ComposableBase<Kind extends string> {
  readonly kind: Kind;
  readonly name: string;
  readonly policies: readonly Policy[];
  readonly hooks: Hooks;
  /** The result of `computeStaticHash` with the default options: 64 lowercase hex digits. */
  readonly staticHash: string;
  /**
   * Returns the SHA-256 of the definition. It is computed once for each set of options, because a composable never
   * changes.
   *
   * @throws {@link CapabilityError} `schema-failed`, `unstable-schema` or `opaque-schema` when a schema has no fingerprint
   */
  computeStaticHash(options?: HashOptions): string;
}

/** A tool: the definition for the model, the policies that guard it, and the handler that runs it. */
export interface Tool<
  Env = never,
  Schema extends StandardSchema = StandardSchema,
  Output = unknown,
  Name extends string = string,
> extends ComposableBase<"tool">,
    ToolSpec<Schema> {
  readonly name: Name;
  readonly policies: readonly Policy[];
  /**
   * Sorted names of the members of another library's tool that no hash covers, such as `needsApproval` or
   * `outputSchema`: a change to them is not detected. The list is empty for a tool that `tool` defined.
   */
  readonly notHashed: readonly string[];
  /** Validates the input in place of the schema. */
  readonly validate: Validate | undefined;
  handler(ctx: CapabilityContext<Env>, input: SchemaOutput<Schema>): Output | Promise<Output>;
  /** Carries the environment's type. It is never set. */
  readonly "~env"?: (env: Env) => void;
}

/** Tools and toolkits under one name, with their own instructions and policies. */
export interface Toolkit<Members extends readonly Composable[] = readonly Composable[], Env = never>
  extends ComposableBase<"toolkit"> {
  readonly members: Members;
  /** The instructions as the caller passed them. */
  readonly instructions: string | readonly string[] | undefined;
  /** Carries the environment's type. It is never set. */
  readonly "~env"?: (env: Env) => void;
}

/** A toolkit whose members are created at evaluation. */
export interface DynamicToolkit<Env = never> extends ComposableBase<"dynamicToolkit"> {
  readonly instructions: readonly string[] | undefined;
  create(ctx: CapabilityContext<Env>): readonly Composable[] | Promise<readonly Composable[]>;
  /** Carries the environment's type. It is never set. */
  readonly "~env"?: (env: Env) => void;
}

/** A tool, a toolkit or a dynamic toolkit, for any environment. */
export type Composable = Tool | Toolkit | DynamicToolkit;

type EnvReader<Node> = Node extends { readonly "~env"?: infer Reader } ? Reader : never;

/** The environment that a composable and everything below it need. */
export type EnvOf<Root> = [NonNullable<EnvReader<Root>>] extends [(env: infer Env) => void]
  ? [Env] extends [never]
    ? unknown
    : Env
  : unknown;
