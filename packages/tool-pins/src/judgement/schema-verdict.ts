import type { JsonValue } from "@agentprint/canonical-json";
import type { SchemaFault } from "./schema-faults.ts";

/** Whether a change to one of a tool's schemas lets callers continue as before. */
export interface SchemaVerdict {
  readonly schema: "inputSchema" | "outputSchema";
  /** Also `unknown` if a schema cannot be read or was not judged. */
  readonly verdict: "compatible" | "breaking" | "unknown";
  /**
   * A call that was accepted before and is now rejected, or a result that was not possible before; only with
   * `breaking`.
   */
  readonly counterexample?: JsonValue;
  /**
   * An input accepts calls that it did not accept before, or it could not be proved that it does not. With `breaking`,
   * the only calls that break are those that already sent a parameter that the old schema did not mention.
   */
  readonly isWider?: true;
  /**
   * Changed keywords of an input that no verdict covers, because they determine what a call does: `default`, and
   * keywords that JSON Schema does not define. Present if there are any.
   */
  readonly unjudged?: readonly string[];
  /** Where an input lets more through than before. Present if there are such places. */
  readonly openings?: readonly Opening[];
  /**
   * Why MCP does not allow the new schema; absent if MCP allows it, or did not allow the old one either.
   */
  readonly fault?: Omit<SchemaFault, "schema">;
  /** The proven causes why callers break; absent if callers do not break or the causes could not be isolated. */
  readonly causes?: readonly BreakCause[];
  /** The verdict on the schema with all causes undone; present with `causes`. */
  readonly rest?: BareVerdict;
  /**
   * The single edits of an input that accepts more than before or changes what a call does; absent if they do not
   * explain the complete change.
   */
  readonly effects?: readonly EditEffect[];
}

/**
 * An edit that, by itself, keeps every valid call valid. Without further members, the edit has no effect.
 */
export interface EditEffect {
  /** RFC 6901 JSON Pointer from the tool to a change. */
  readonly pointer: string;
  /** The edit makes the input accept more. */
  readonly isWider?: true;
  /** The keywords that this edit changes and that no verdict covers. */
  readonly unjudged?: readonly string[];
}

/**
 * A kind of value that an input newly accepts: free text, anything at all, or more values than a list, a constant, a
 * pattern, a format or a length allows. `unproven-values`: whether a pattern or a length lets more through could not be
 * determined.
 */
export type OpeningKind = "free-text" | "anything" | "more-values" | "unproven-values";

/** A place in an input schema that lets more through than before. */
export interface Opening {
  readonly kind: OpeningKind;
  /** RFC 6901 JSON Pointer from the schema to the parameter, or to the keyword that changed. */
  readonly pointer: string;
}

/** Edits that break callers: a single one, or several that break them only together. */
export interface BreakCause {
  /** RFC 6901 JSON Pointers from the tool to the changes; at least one. */
  readonly pointers: readonly string[];
  /** A call or a result that this cause by itself breaks, and that the complete change also breaks. */
  readonly counterexample?: JsonValue;
}

/** The verdict on a schema without its name, the openings, the fault, the causes and the effects. */
export type BareVerdict = Omit<SchemaVerdict, "schema" | "openings" | "fault" | "causes" | "rest" | "effects">;
