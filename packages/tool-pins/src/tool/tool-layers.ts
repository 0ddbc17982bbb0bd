import { isJsonObject, type JsonObject, setOwnMember } from "@agentprint/canonical-json";
import { coded, ToolPinsError } from "../errors.ts";
import { splitSchema } from "./split-schema.ts";

/** The layers of a tool, in the order in which they are reported. */
export const LAYERS: readonly ["contract", "prose", "hints", "rest"] = Object.freeze([
  "contract",
  "prose",
  "hints",
  "rest",
] as const);

/** One of {@link LAYERS}. */
export type Layer = (typeof LAYERS)[number];

/** The four layers of a tool. Each value keeps its JSON Pointer, so that merging the layers gives the tool again. */
export type ToolLayers = Readonly<Record<Layer, JsonObject>>;

/**
 * Returns the payloads whose digests are the layers of a tool.
 *
 * - `contract`: `name`, and `inputSchema` and `outputSchema` without prose keywords
 * - `prose`: `title`, `description`, and the prose keywords of the schemas under their own pointers (an object with
 *   decimal keys replaces an array)
 * - `hints`: `annotations`
 * - `rest`: every other member
 *
 * A prose keyword is `title`, `description`, `$comment` or `examples` in keyword position. A property that is named
 * `description`, and anything inside `const`, `enum`, `default` or a keyword that JSON Schema does not define, is
 * contract.
 *
 * @throws {@link ToolPinsError} `invalid-definition` when the tool is not an object or a schema is nested deeper than
 * 1000 levels.
 *
 * @example
 * ```ts
 * import { toolLayers } from "@agentprint/tool-pins";
 *
 * const { contract, prose } = toolLayers({ inputSchema: { properties: { description: { description: "What it is" } } } });
 * console.log(JSON.stringify(contract)); // {"inputSchema":{"properties":{"description":{}}}}
 * console.log(JSON.stringify(prose)); // {"inputSchema":{"properties":{"description":{"description":"What it is"}}}}
 * ```
 */
export function toolLayers(tool: JsonObject): ToolLayers {
  return coded("invalid-definition", () => readLayers(tool));
}

function readLayers(tool: JsonObject): ToolLayers {
  if (!isJsonObject(tool)) throw new ToolPinsError("invalid-definition", "", "A tool is a JSON object");
  const layers: ToolLayers = { contract: {}, prose: {}, hints: {}, rest: {} };
  for (const [key, value] of Object.entries(tool)) {
    if (key === "inputSchema" || key === "outputSchema") {
      const { contract, prose } = splitSchema(value, 0);
      layers.contract[key] = contract;
      if (prose !== undefined) layers.prose[key] = prose;
    } else setOwnMember(layers[layerOf(key)], key, value);
  }
  return layers;
}

function layerOf(key: string): Layer {
  if (key === "title" || key === "description") return "prose";
  return key === "name" ? "contract" : key === "annotations" ? "hints" : "rest";
}
