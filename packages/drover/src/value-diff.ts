import { canonicalize, type JsonValue, type PathSegment, toPointer } from "@agentprint/canonical-json";
import { diffSequences } from "./sequence-diff.ts";

/** A line that only one of two texts has. */
export type LineChange =
  | { readonly kind: "removed"; readonly recordedLine: number; readonly text: string }
  | { readonly kind: "added"; readonly currentLine: number; readonly text: string };

/** A value that differs. `path` is an RFC 6901 JSON Pointer into the spec: the recorded one for `removed`, else the current. */
export interface ValueChange {
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  readonly recorded?: JsonValue;
  readonly current?: JsonValue;
  /** For two texts: the lines that differ, in order, numbered from 1. */
  readonly lines?: readonly LineChange[];
}

/** Deeper than this a difference is reported whole. */
const DEEPEST = 256;

/** The smallest differing values of two JSON values. */
export function diffValues(recorded: JsonValue, current: JsonValue, path: readonly PathSegment[]): ValueChange[] {
  if (textOf(recorded) === textOf(current)) return [];
  if (path.length < DEEPEST) {
    if (Array.isArray(recorded) && Array.isArray(current)) return diffArrays(recorded, current, path);
    if (isObject(recorded) && isObject(current)) return diffObjects(recorded, current, path);
  }
  const change = { path: toPointer(path), kind: "changed", recorded, current } as const;
  if (typeof recorded !== "string" || typeof current !== "string") return [change];
  return [{ ...change, lines: diffLines(recorded, current) }];
}

function diffObjects(
  recorded: { [key: string]: JsonValue },
  current: { [key: string]: JsonValue },
  path: readonly PathSegment[],
): ValueChange[] {
  const keys = new Set([...Object.keys(recorded), ...Object.keys(current)]);
  return [...keys].flatMap((key): ValueChange[] => {
    const at = [...path, key];
    if (!Object.hasOwn(current, key)) return [{ path: toPointer(at), kind: "removed", recorded: recorded[key]! }];
    if (!Object.hasOwn(recorded, key)) return [{ path: toPointer(at), kind: "added", current: current[key]! }];
    return diffValues(recorded[key]!, current[key]!, at);
  });
}

function diffArrays(
  recorded: readonly JsonValue[],
  current: readonly JsonValue[],
  path: readonly PathSegment[],
): ValueChange[] {
  const edits = diffSequences(recorded.map(textOf), current.map(textOf));
  const changes: ValueChange[] = [];
  const removed: number[] = [];
  // A removal followed by an addition at the same place is a change of that element.
  const flush = (): void => {
    for (const index of removed.splice(0)) {
      changes.push({ path: toPointer([...path, index]), kind: "removed", recorded: recorded[index]! });
    }
  };
  for (const edit of edits) {
    if (edit.kind === "remove") removed.push(edit.before);
    else if (edit.kind === "keep") flush();
    else {
      const replaced = removed.shift();
      const at = [...path, edit.after];
      if (replaced !== undefined) changes.push(...diffValues(recorded[replaced]!, current[edit.after]!, at));
      else changes.push({ path: toPointer(at), kind: "added", current: current[edit.after]! });
    }
  }
  flush();
  return changes;
}

function diffLines(recorded: string, current: string): LineChange[] {
  const before = recorded.split("\n");
  const after = current.split("\n");
  return diffSequences(before, after).flatMap((edit): LineChange[] => {
    if (edit.kind === "remove") {
      return [{ kind: "removed", recordedLine: edit.before + 1, text: before[edit.before]! }];
    }
    return edit.kind === "add" ? [{ kind: "added", currentLine: edit.after + 1, text: after[edit.after]! }] : [];
  });
}

function textOf(value: JsonValue): string {
  return canonicalize(value, { profile: "ecmascript" });
}

function isObject(value: JsonValue): value is { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
