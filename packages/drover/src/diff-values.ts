import { canonicalize, diffJson, type ElementPair, type JsonChange, type JsonValue } from "@agentprint/canonical-json";
import { diffSequences } from "./diff-sequences.ts";

/** A line that only one of two texts contains. */
export interface LineChange {
  readonly kind: "removed" | "added";
  /** Line number, from 1: in the earlier text for `removed`, in the later text for `added`. */
  readonly line: number;
  readonly text: string;
}

/**
 * A value in a spec that differs. A removed value's pointer refers to the earlier spec, any other pointer to the later
 * spec.
 */
export interface ValueChange extends JsonChange {
  /** If both values are texts, the lines that differ, in order. */
  readonly lines?: readonly LineChange[];
}

/** Returns the smallest differing values in two JSON values, with the differing lines of texts. */
export function diffValues(before: JsonValue | undefined, after: JsonValue | undefined): ValueChange[] {
  return diffJson(before, after, { pairElements }).map((change) =>
    typeof change.before === "string" && typeof change.after === "string"
      ? { ...change, lines: diffLines(change.before, change.after) }
      : change,
  );
}

/**
 * Returns the differing elements of two arrays. A removal followed by an addition at the same place counts as a change
 * of that element.
 */
function pairElements(before: readonly JsonValue[], after: readonly JsonValue[]): ElementPair[] {
  const pairs: ElementPair[] = [];
  const removed: number[] = [];
  const addRemoved = (): void => {
    for (const index of removed.splice(0)) pairs.push({ index, before: before[index]! });
  };
  for (const edit of diffSequences(before.map(textOf), after.map(textOf))) {
    if (edit.kind === "remove") removed.push(edit.before);
    else if (edit.kind === "keep") addRemoved();
    else {
      const replaced = removed.shift();
      const added = { index: edit.after, after: after[edit.after]! };
      pairs.push(replaced === undefined ? added : { ...added, before: before[replaced]! });
    }
  }
  addRemoved();
  return pairs;
}

function diffLines(before: string, after: string): LineChange[] {
  const [linesBefore, linesAfter] = [before.split("\n"), after.split("\n")];
  return diffSequences(linesBefore, linesAfter).flatMap((edit): LineChange[] => {
    if (edit.kind === "remove") {
      return [{ kind: "removed", line: edit.before + 1, text: linesBefore[edit.before]! }];
    }
    return edit.kind === "add" ? [{ kind: "added", line: edit.after + 1, text: linesAfter[edit.after]! }] : [];
  });
}

function textOf(value: JsonValue): string {
  return canonicalize(value, { profile: "ecmascript" });
}
