import type { Composable } from "./composable.ts";
import type { DynamicToolkit } from "./dynamic-toolkit.ts";
import type { EvaluatedTool } from "./evaluated-tool.ts";
import type { SchemaInput, StandardSchema } from "./standard-schema.ts";
import type { Tool } from "./tool.ts";
import type { Toolkit } from "./toolkit.ts";

/** The statically known tools below a composable. */
type ToolsBelow<Root> = Composable extends Root
  ? Tool
  : Root extends Tool
    ? Root
    : Root extends Toolkit<infer Members, never>
      ? ToolsBelow<Members[number]>
      : never;

type HasDynamic<Root> = Composable extends Root
  ? true
  : Root extends DynamicToolkit
    ? true
    : Root extends Toolkit<infer Members, never>
      ? HasDynamic<Members[number]>
      : never;

type EvaluatedForm<T> =
  T extends Tool<never, infer Schema extends StandardSchema, infer Output, string>
    ? EvaluatedTool<SchemaInput<Schema>, Output>
    : never;

/**
 * Enabled tools of a composable, by name. Any of them may be missing, since policies decide; with a dynamic toolkit
 * among them, so may others be there.
 */
export type EvaluatedTools<Root extends Composable> = [ToolsBelow<Root>] extends [never]
  ? Record<string, EvaluatedTool>
  : { readonly [T in ToolsBelow<Root> as T["name"]]?: EvaluatedForm<T> } & ([HasDynamic<Root>] extends [never]
      ? unknown
      : Record<string, EvaluatedTool | undefined>);

type EnvReader<Node> = Node extends { readonly "~env"?: infer Reader } ? Reader : never;

/** The environment that everything below a composable needs. */
export type EnvOf<Root> = [NonNullable<EnvReader<Root>>] extends [(env: infer Env) => void]
  ? [Env] extends [never]
    ? unknown
    : Env
  : unknown;
