import type { JsonValue } from "@agentprint/canonical-json";
import type { StepBudget } from "../budget.ts";
import { MAX_APPLICATION_DEPTH } from "../limits.ts";
import type { Automaton } from "../regex/automaton.ts";
import { compilePattern } from "../regex/compile-pattern.ts";
import { Evaluated, expectText, type Resource, SchemaRefused, type Validator } from "./application.ts";
import { LocatedSchemas } from "./located-schemas.ts";

/** The number of steps that applying a schema takes, without its keywords. */
const APPLY_STEPS = 1;

/**
 * Reads a schema a second time, as written, keyword by keyword. It shares no code with the compiler and the evaluator
 * except reference lookup and the pattern engine. Its work is counted in steps while it runs.
 */
export class Interpreter implements Validator {
  readonly scope: Resource[] = [];
  readonly #document: JsonValue;
  readonly #schemas: LocatedSchemas;
  readonly #patterns = new Map<string, Automaton | undefined>();
  #budget: StepBudget;
  #depth = 0;

  /** @throws {@link SchemaRefused} if a reference leads nowhere. */
  constructor(document: JsonValue, budget: StepBudget) {
    this.#document = document;
    this.#schemas = new LocatedSchemas(document, budget);
    this.#budget = budget;
  }

  /**
   * Returns whether the schema accepts a value.
   *
   * @throws {@link SchemaRefused} if an applied schema has a keyword with a value that no draft allows.
   */
  accepts(value: JsonValue, budget: StepBudget): boolean {
    this.#budget = budget;
    this.scope.length = 0;
    this.#depth = 0;
    return this.apply(this.#document, value);
  }

  apply(schema: JsonValue, value: JsonValue, evaluated?: Evaluated): boolean {
    if (typeof schema === "boolean") return schema;
    this.spend(APPLY_STEPS);
    if (this.#depth >= MAX_APPLICATION_DEPTH) throw new SchemaRefused();
    const located = this.#schemas.at(schema);
    const isEntered = this.scope.at(-1) !== located.resource;
    if (isEntered) this.scope.push(located.resource);
    this.#depth++;
    const own = this.#schemas.hasUnevaluated ? new Evaluated() : undefined;
    const application = { schema: located, value, evaluated: own, validator: this };
    const kind = typeOf(value);
    let holds = true;
    for (const [{ type, holds: fulfils }, content] of located.rules) {
      holds = (type !== undefined && type !== kind) || fulfils(content, value as never, application);
      if (!holds) break;
    }
    this.#depth--;
    if (isEntered) this.scope.pop();
    if (holds && own && evaluated) {
      this.spend(own.mergeSteps);
      evaluated.merge(own);
    }
    return holds;
  }

  matches(pattern: JsonValue, text: string): boolean {
    const source = expectText(pattern);
    if (!this.#patterns.has(source)) this.#patterns.set(source, compilePattern(source, this.#budget));
    // Nothing is known about a pattern without an automaton.
    return this.#patterns.get(source)?.test(text, this.#budget) ?? true;
  }

  spend(steps: number): void {
    this.#budget.spend(steps);
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
