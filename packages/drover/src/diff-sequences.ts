/** One step of an edit script. An index refers to the sequence named by its member. */
export type SequenceEdit =
  | { readonly kind: "keep"; readonly before: number; readonly after: number }
  | { readonly kind: "remove"; readonly before: number }
  | { readonly kind: "add"; readonly after: number };

/**
 * The maximum number of edits to search for. Sequences with more differences are replaced completely between their
 * common ends.
 */
const MAX_EDITS = 1000;

/**
 * Returns a shortest edit script between two sequences of texts. The texts with which both sequences begin and end are
 * kept; between them, it uses the greedy algorithm of E. W. Myers, An O(ND) Difference Algorithm and Its Variations
 * (1986).
 */
export function diffSequences(before: readonly string[], after: readonly string[]): SequenceEdit[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;

  const keep = (from: number, to: number, count: number): SequenceEdit[] =>
    Array.from({ length: count }, (_, step) => ({ kind: "keep", before: from + step, after: to + step }));
  const middle = diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end));
  return [
    ...keep(0, 0, start),
    ...middle.map((edit) => shift(edit, start)),
    ...keep(before.length - end, after.length - end, end),
  ];
}

function shift(edit: SequenceEdit, by: number): SequenceEdit {
  if (edit.kind === "keep") return { kind: "keep", before: edit.before + by, after: edit.after + by };
  return edit.kind === "remove"
    ? { kind: "remove", before: edit.before + by }
    : { kind: "add", after: edit.after + by };
}

function diffMiddle(before: readonly string[], after: readonly string[]): SequenceEdit[] {
  const limit = Math.min(before.length + after.length, MAX_EDITS);
  // On diagonal k, index in `before` minus index in `after` is k. furthest[k + limit + 1] is the largest index in `before`
  // that a path with the current number of edits reaches on diagonal k.
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    trace.push(furthest.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const at = diagonal + limit + 1;
      const down = diagonal === -edits || (diagonal !== edits && furthest[at - 1]! < furthest[at + 1]!);
      let x = down ? furthest[at + 1]! : furthest[at - 1]! + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      furthest[at] = x;
      if (x >= before.length && y >= after.length) return walkBack(trace, before.length, after.length, limit);
    }
  }
  return [
    ...before.map((_, index): SequenceEdit => ({ kind: "remove", before: index })),
    ...after.map((_, index): SequenceEdit => ({ kind: "add", after: index })),
  ];
}

function walkBack(trace: readonly Int32Array[], x: number, y: number, limit: number): SequenceEdit[] {
  const script: SequenceEdit[] = [];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const furthest = trace[edits]!;
    const diagonal = x - y;
    const at = diagonal + limit + 1;
    const down = diagonal === -edits || (diagonal !== edits && furthest[at - 1]! < furthest[at + 1]!);
    const fromX = edits === 0 ? 0 : down ? furthest[at + 1]! : furthest[at - 1]!;
    const fromY = edits === 0 ? 0 : fromX - (down ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY) script.push({ kind: "keep", before: --x, after: --y });
    if (edits === 0) break;
    script.push(down ? { kind: "add", after: --y } : { kind: "remove", before: --x });
  }
  return script.reverse();
}
