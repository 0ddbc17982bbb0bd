import type { JsonChange, JsonValue } from "@agentprint/canonical-json/json-value";
import { checkArgument } from "../check-argument.ts";
import { MAX_BLAMED_EDITS } from "../limits.ts";
import { addedDefinitions, definitionsOf } from "./definitions-of.ts";
import { SchemaMixer } from "./mix-schemas.ts";

/** A verdict on the step from the old schema to another schema. */
interface WithVerdict {
  readonly verdict: "compatible" | "breaking" | "unknown";
}

/** Edits that break a schema: a single edit, or several that break it only together. */
export interface SchemaCause<J> {
  readonly edits: readonly JsonChange[];
  /** The verdict on the old schema with only these edits. */
  readonly alone: J;
}

/** The causes of a break, and the verdict without them. */
export interface IsolatedCauses<J> {
  /** The causes in the order of their edits; at least one. None of them can be left out. */
  readonly causes: readonly SchemaCause<J>[];
  /** The verdict on the new schema with all causes undone; never `breaking`. */
  readonly undone: J;
}

/**
 * Finds the edits that make a change to a schema breaking. Each cause by itself, applied to the old schema, is
 * breaking; with all causes undone, the new schema is not breaking; with all but one undone, it still is. Definitions
 * that only one of the schemas has remain available in all comparisons, because nothing is known about a reference
 * without its definition.
 *
 * @param edits All edits that lead from the old schema to the new one, as `diffJson` with `pairElements` finds them.
 * @param judge Judges the step from the old schema to another; returns `undefined` if no steps are left for a verdict.
 * @returns `undefined` if the causes cannot be isolated: no steps are left, there are more than 256 edits, or the
 * change is not breaking.
 *
 * @example
 * ```ts
 * import { diffJson } from "@agentprint/canonical-json/json-value";
 * import { pairElements } from "@agentprint/json-schema";
 * import { createSchemaComparer, isolateCauses } from "@agentprint/schema-diff";
 *
 * const before = { type: "object", properties: { path: {} }, required: ["path"], additionalProperties: {} };
 * const after = { ...before, properties: { path: {}, mode: {} }, additionalProperties: false };
 * const compare = createSchemaComparer(before);
 * const found = isolateCauses(before, after, diffJson(before, after, { pairElements }), (schema) =>
 *   compare(schema, { direction: "input", want: "verdict" }),
 * );
 * console.log(found?.causes[0]?.edits); // [{ pointer: "/additionalProperties", before: {}, after: false }]
 * ```
 */
export function isolateCauses<J extends WithVerdict>(
  before: JsonValue,
  after: JsonValue,
  edits: readonly JsonChange[],
  judge: (schema: JsonValue) => J | undefined,
): IsolatedCauses<J> | undefined {
  checkArgument("edits", edits, ["object"]);
  checkArgument("judge", judge, "function");
  if (edits.length > MAX_BLAMED_EDITS) return undefined;
  const mixer = new SchemaMixer(
    before,
    after,
    edits.map(({ pointer }) => pointer),
  );
  try {
    return (
      new Isolation(edits, mixer, judge, definitionsOf(edits)).find() ??
      new Isolation(edits, mixer, judge, new Set()).find()
    );
  } catch (error) {
    if (error === UNDECIDED) return undefined;
    throw error;
  }
}

/** Thrown if no verdict could be given. This error never leaves the module, and its stack is not read. */
const UNDECIDED = new Error("no steps are left");

type Edits = ReadonlySet<number>;

class Isolation<J extends WithVerdict> {
  readonly #edits: readonly JsonChange[];
  readonly #mixer: SchemaMixer;
  readonly #judge: (schema: JsonValue) => J | undefined;
  readonly #kept: Edits;
  readonly #open: Edits;
  readonly #known = new Map<string, J>();

  constructor(
    edits: readonly JsonChange[],
    mixer: SchemaMixer,
    judge: (schema: JsonValue) => J | undefined,
    definitions: Edits,
  ) {
    this.#edits = edits;
    this.#mixer = mixer;
    this.#judge = judge;
    this.#kept = addedDefinitions(edits, definitions);
    this.#open = new Set([...edits.keys()].filter((edit) => !definitions.has(edit)));
  }

  /** Returns `undefined` if the definitions by themselves break the schema, or if the other edits do not. */
  find(): IsolatedCauses<J> | undefined {
    // Without definitions, these edits are none.
    if ((this.#kept.size > 0 && this.#breaks(new Set())) || !this.#breaks(this.#open)) return undefined;
    const causes: Edits[] = [...this.#open].map((edit) => new Set([edit])).filter((edit) => this.#breaks(edit));
    for (let rest = this.#without(causes); this.#breaks(rest); rest = this.#without(causes)) {
      causes.push(this.#smallest(rest));
    }
    const needed = this.#needed(causes);
    return {
      causes: needed
        .map((cause) => ({ edits: [...cause].map((edit) => this.#edits[edit] as JsonChange), alone: this.#of(cause) }))
        .sort((one, other) => this.#position(one) - this.#position(other)),
      undone: this.#of(this.#without(needed)),
    };
  }

  /** Returns edits that break the schema only together, so that none can be left out. */
  #smallest(edits: Edits): Edits {
    let smallest = edits;
    for (const edit of edits) {
      const fewer = new Set(smallest);
      fewer.delete(edit);
      if (this.#breaks(fewer)) smallest = fewer;
    }
    return smallest;
  }

  /** Returns the causes that have to be undone: a single one if that is enough, or else causes of which none can be left out. */
  #needed(causes: readonly Edits[]): readonly Edits[] {
    const sole = causes.find((cause) => !this.#breaks(this.#without([cause])));
    if (sole !== undefined) return [sole];
    let needed = causes;
    for (const cause of causes) {
      const fewer = needed.filter((each) => each !== cause);
      if (!this.#breaks(this.#without(fewer))) needed = fewer;
    }
    return needed.length < causes.length ? this.#needed(needed) : needed;
  }

  #without(causes: readonly Edits[]): Edits {
    const rest = new Set(this.#open);
    for (const edit of causes.flatMap((cause) => [...cause])) rest.delete(edit);
    return rest;
  }

  #breaks(edits: Edits): boolean {
    return this.#of(edits).verdict === "breaking";
  }

  #of(edits: Edits): J {
    const key = [...edits].join();
    const judged = this.#known.get(key) ?? this.#judge(this.#mixer.mix(new Set([...this.#kept, ...edits])));
    if (judged === undefined) throw UNDECIDED;
    this.#known.set(key, judged);
    return judged;
  }

  #position({ edits }: SchemaCause<J>): number {
    return this.#edits.indexOf(edits[0] as JsonChange);
  }
}
