import type { Composable, DynamicToolkit, Tool, Toolkit } from "../define/composable.ts";
import type { SchemaInput, StandardSchema } from "../hash/standard-schema.ts";
import type { EvaluatedTool } from "./evaluated-tool.ts";

/** The tools below a composable that are part of its type. */
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
 * The enabled tools of a composable, by name. Each is optional, because policies may disable it. If there is a dynamic
 * toolkit, tools with other names are also possible.
 */
export type EvaluatedTools<Root extends Composable> = [ToolsBelow<Root>] extends [never]
  ? Record<string, EvaluatedTool>
  : { readonly [T in ToolsBelow<Root> as T["name"]]?: EvaluatedForm<T> } & ([HasDynamic<Root>] extends [never]
      ? unknown
      : Record<string, EvaluatedTool | undefined>);
