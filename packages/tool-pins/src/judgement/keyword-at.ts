import { fromPointer } from "@agentprint/canonical-json";
import { contentOf } from "@agentprint/json-schema";

/** A keyword in a tool's schema. */
interface KeywordPlace {
  readonly keyword: string;
  /**
   * The name of the parameter or member whose schema has the keyword; absent for the tool's own schema, for a
   * definition and the like.
   */
  readonly parameter?: string;
  /** Whether the schema describes the complete input or output. */
  readonly isOfTool: boolean;
}

const SCHEMAS: ReadonlySet<string> = new Set(["inputSchema", "outputSchema"]);

/**
 * Returns the keyword at a pointer from a tool; `undefined` for a place in data, and for the name of a parameter.
 */
export function keywordAt(pointer: string): KeywordPlace | undefined {
  const [schema = "", ...path] = fromPointer(pointer);
  if (!SCHEMAS.has(schema)) return undefined;
  const keyword = path.pop();
  let parameter: string | undefined;
  for (let index = 0; index < path.length; index++) {
    const above = path[index] as string;
    const content = contentOf(above);
    const isList = content === "list" || (content === "schema-or-list" && /^\d+$/.test(path[index + 1] ?? ""));
    if (content === undefined || content === "data") return undefined;
    if (!isList && content !== "by-name") {
      parameter = undefined;
      continue;
    }
    if (++index === path.length) return undefined;
    parameter = above === "properties" ? path[index] : undefined;
  }
  if (keyword === undefined) return undefined;
  return { keyword, ...(parameter !== undefined && { parameter }), isOfTool: path.length === 0 };
}
