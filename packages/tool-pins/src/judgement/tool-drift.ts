import type { JsonChange, JsonObject, JsonValue } from "@agentprint/canonical-json";
import type { HintEffect } from "../changes/hint-changes.ts";
import type { ToolFingerprint } from "../tool/fingerprint-tool.ts";
import type { Layer } from "../tool/tool-layers.ts";
import type { SchemaText } from "./schema-texts.ts";
import type { SchemaVerdict } from "./schema-verdict.ts";

/** A tool as received, and its digests. */
export interface FingerprintedTool {
  readonly definition: JsonObject;
  readonly digests: ToolFingerprint;
}

/** Returns the name of a tool whose definition was read. */
export function nameOfTool({ definition }: Pick<FingerprintedTool, "definition">): string {
  return definition["name"] as string;
}

/** A change of one tool, and its layer. */
export interface ToolChange extends JsonChange {
  readonly layer: Layer;
  /** The effects of a change in the layer `hints`; at least one. */
  readonly effects?: readonly HintEffect[];
  /** The new value with its prose, if the change added a part with prose to the input schema. */
  readonly afterWithProse?: JsonValue;
  /** Present for a text at a new place, such as a new parameter's. */
  readonly isNewPlace?: true;
  /** Present if a bound of ±(2^53−1), as zod 4 writes it, was added to an integer in the input schema. */
  readonly isIntegerBound?: true;
}

/** A set of tool members that other checkers commonly hash. */
export type CommonHash = "name+description" | "name+inputSchema" | "name+description+inputSchema";

/** The differences between two versions of a tool. */
export interface ToolChanges {
  readonly changes: readonly ToolChange[];
  /** For each changed, new or removed schema: whether callers can continue as before. */
  readonly schemas?: readonly SchemaVerdict[];
  /** New texts in the contract that a model reads as prose; pointers are from the tool. */
  readonly newTexts?: readonly SchemaText[];
}

/** A tool that changed. */
export interface ChangedTool extends ToolChanges {
  readonly type: "tool-changed";
  readonly name: string;
  /** The layers whose digests differ. */
  readonly layers: readonly Layer[];
  /** Common hashes that are the same before and after, and so do not detect this change. */
  readonly missedBy: readonly CommonHash[];
}

/** A removed tool and an added tool that are probably the same tool under two names. */
export interface RenamedTool extends ToolChanges {
  readonly type: "tool-renamed";
  readonly name: string;
  readonly previousName: string;
  /** How much the two tools have in common, from 0 to 1; 1 when only the names differ. */
  readonly similarity: number;
  /** Present if the server's author declares the rename. */
  readonly isDeclared?: true;
  readonly layers: readonly Layer[];
}

/** A tool that is new. */
export interface AddedTool {
  readonly type: "item-added";
  readonly kind: "tool";
  readonly name: string;
  readonly after: JsonObject;
  /** At most eight names of the server's other tools that look like this tool's name. */
  readonly looksLike?: readonly string[];
}

/** A tool that is gone. */
interface RemovedTool {
  readonly type: "item-removed";
  readonly kind: "tool";
  readonly name: string;
  readonly before: JsonObject;
}

/** One difference between two lists of tools. */
export type ToolDrift = ChangedTool | RenamedTool | AddedTool | RemovedTool;
