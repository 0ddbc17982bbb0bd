import type { JsonValue } from "@agentprint/canonical-json";
import type { ChangeEffect, ChangeManner, ChangeSubject, SchemaChange } from "./schema-change.ts";
import { sentence } from "./sentences.ts";

/** How a schema's acceptance bears on the whole: in its sense, in the opposite sense (`not`), or either way. */
export type Polarity = 1 | -1 | 0;

/** A change before its effect on the whole schema is known. */
export interface Difference {
  readonly subject: ChangeSubject;
  readonly manner: ChangeManner;
  readonly path: string;
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
  readonly effect?: ChangeEffect | "changes";
  readonly message?: string;
}

/** More changes than anyone reads; the verdict does not depend on them. */
const MAX_CHANGES = 1000;

const EFFECTS: Record<ChangeManner, ChangeEffect> = {
  added: "narrows",
  changed: "unknown",
  loosened: "widens",
  removed: "widens",
  tightened: "narrows",
};

/** Collects changes. */
export class ChangeList {
  readonly changes: SchemaChange[] = [];

  get isFull(): boolean {
    return this.changes.length >= MAX_CHANGES;
  }

  add(difference: Difference, polarity: Polarity): void {
    const { subject, manner, path, before, after } = difference;
    if (this.isFull) return;
    const effect = difference.effect ?? EFFECTS[manner];
    this.changes.push({
      kind: `${subject}-${manner}`,
      path,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      effect: effect === "changes" ? "unknown" : seen(effect, polarity),
      message: difference.message ?? sentence(subject, manner, before, after),
    });
  }
}

function seen(effect: ChangeEffect, polarity: Polarity): ChangeEffect {
  if (effect === "none" || effect === "unknown" || polarity === 1) return effect;
  if (polarity === 0) return "unknown";
  return effect === "narrows" ? "widens" : "narrows";
}

/** The sense of what stands below a `not`. */
export function turn(polarity: Polarity): Polarity {
  return polarity === 0 ? 0 : polarity === 1 ? -1 : 1;
}
