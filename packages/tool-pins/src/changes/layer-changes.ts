import { diffJson, type JsonChange, type JsonObject, ownMember } from "@agentprint/canonical-json";
import { pairScalars } from "@agentprint/json-schema";
import type { Layer } from "../tool/tool-layers.ts";
import { type HintEffect, hintChanges } from "./hint-changes.ts";

/** A difference between two payloads of one layer. */
export interface LayerChange extends JsonChange {
  /** At least one in the layer `hints`. */
  readonly effects?: readonly HintEffect[];
}

/** Returns the exact differences between two payloads of a layer, place by place: text 13, rules P8 to P10. */
export function layerChanges(layer: Layer, before: JsonObject, after: JsonObject): LayerChange[] {
  if (layer === "hints") return hintChanges(ownMember(before, "annotations"), ownMember(after, "annotations"));
  if (layer === "contract") return diffJson(before, after, { pairElements: pairScalars });
  return diffJson(before, after, { expandObjects: layer === "prose" });
}
