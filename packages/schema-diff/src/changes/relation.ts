import { withinBudget } from "../budget.ts";
import { KINDS } from "../kinds.ts";
import type { Node, Part } from "../node.ts";
import type { Prover } from "../prove/prover.ts";
import type { ChangeEffect } from "./schema-change.ts";

/** What replacing one schema by another does to the set of accepted values; `"changes"` when it does both. */
export type Relation = ChangeEffect | "changes";

/** Compares two schemas, or two statements about one kind of value. */
export function relate(prover: Prover, before: Node, after: Node): Relation {
  return decide(
    () => prover.find([before], [after]).found,
    () => prover.find([after], [before]).found,
  );
}

/** Compares two statements about the same kinds of value. */
export function relateParts(prover: Prover, before: Part, after: Part): Relation {
  const kinds = KINDS.filter((kind) => kind & before.kinds & after.kinds);
  const find = (holds: Part, fails: Part): string => {
    const goals = [
      { holds: true, part: holds },
      { holds: false, part: fails },
    ];
    const found = kinds.map((kind) => prover.findOfKind(kind, goals).found);
    return found.find((each) => each === "value") ?? found.find((each) => each === "unknown") ?? "none";
  };
  return decide(
    () => find(before, after),
    () => find(after, before),
  );
}

function decide(findLost: () => string, findGained: () => string): Relation {
  const [lost, gained] = withinBudget(() => [findLost(), findGained()]) ?? [];
  if (lost === "none") return gained === "none" ? "none" : gained === "value" ? "widens" : "unknown";
  if (gained === "none") return lost === "value" ? "narrows" : "unknown";
  return lost === "value" && gained === "value" ? "changes" : "unknown";
}
