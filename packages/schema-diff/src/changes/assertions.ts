import type { JsonValue } from "@agentprint/canonical-json";
import { ALL, typeNames } from "../kinds.ts";
import type {
  BoundPart,
  EnumPart,
  MultiplePart,
  Node,
  OpaquePart,
  Part,
  PatternPart,
  RequiredPart,
  SizePart,
} from "../node.ts";
import type { Prover } from "../prove/prover.ts";
import type { Difference } from "./change-list.ts";
import { relateParts } from "./relation.ts";
import { list, show } from "./sentences.ts";
import type { Sides } from "./sides.ts";

export function compareTypes(before: Node, after: Node): Difference[] {
  if (before.kinds === after.kinds) return [];
  const names = (kinds: number): JsonValue | undefined => {
    const [first, ...others] = typeNames(kinds);
    return kinds === ALL ? undefined : first === undefined ? [] : others.length > 0 ? [first, ...others] : first;
  };
  const manner =
    (before.kinds & after.kinds) === after.kinds
      ? "tightened"
      : (before.kinds & after.kinds) === before.kinds
        ? "loosened"
        : "changed";
  const [from, to] = [names(before.kinds), names(after.kinds)];
  const text = (value: JsonValue | undefined): string => (value === undefined ? "any type" : show(value));
  const message = `type changed from ${text(from)} to ${text(to)}`;
  return [{ subject: "type", manner, path: `${after.pointer}/type`, before: from, after: to, message }];
}

export function compareEnums({ before, after }: Sides<EnumPart>): Difference[] {
  const values = (parts: readonly EnumPart[], kinds: number): Map<string, JsonValue> =>
    new Map(parts.filter((part) => part.kinds & kinds).flatMap((part) => [...part.values]));
  const kindsOf = (parts: readonly EnumPart[]): number => parts.reduce((mask, part) => mask | part.kinds, 0);
  const both = kindsOf(before) & kindsOf(after);
  const differences: Difference[] = [];
  const [old, young] = [values(before, both), values(after, both)];
  const removed = [...old].filter(([text]) => !young.has(text)).map(([, value]) => value);
  const added = [...young].filter(([text]) => !old.has(text)).map(([, value]) => value);
  if (removed.length > 0 || added.length > 0) {
    differences.push({
      subject: "enum",
      manner: removed.length === 0 ? "loosened" : added.length === 0 ? "tightened" : "changed",
      path: after.find((part) => part.kinds & both)?.at ?? "",
      before: [...old.values()],
      after: [...young.values()],
      message: [
        removed.length > 0 ? `no longer allowed: ${list(removed)}` : "",
        added.length > 0 ? `now allowed: ${list(added)}` : "",
      ]
        .filter(Boolean)
        .join("; "),
    });
  }
  const only = (parts: readonly EnumPart[]): EnumPart[] => parts.filter((part) => !(part.kinds & both));
  const [gone, come] = [only(before), only(after)];
  const all = (parts: readonly EnumPart[]): JsonValue[] => parts.flatMap((part) => [...part.values.values()]);
  if (gone[0]) differences.push({ subject: "enum", manner: "removed", path: gone[0].at, before: all(gone) });
  if (come[0]) differences.push({ subject: "enum", manner: "added", path: come[0].at, after: all(come) });
  return differences;
}

/** Bounds and sizes: at most one of a sort and kind on each side. */
export function compareLimits(sides: Sides<BoundPart | SizePart>): Difference[] {
  return pair(
    sides,
    (a, b) => a.part === b.part,
    limitOf,
    (a, b) => {
      return { manner: compareStrictness(b, a) > 0 ? "tightened" : "loosened" };
    },
  );
}

export function compareMultiples(sides: Sides<MultiplePart>, prover: Prover): Difference[] {
  return pair(
    sides,
    () => true,
    (part) => part.value,
    (a, b) => byRelation(prover, a, b),
  );
}

export function comparePatterns(sides: Sides<PatternPart>, prover: Prover): Difference[] {
  return pair(
    sides,
    () => true,
    (part) => part.source,
    (a, b) => byRelation(prover, a, b),
  );
}

export function compareOpaque({ before, after }: Sides<OpaquePart>): Difference[] {
  return pair(
    { before, after },
    (a, b) => a.keyword === b.keyword,
    (part) => part.value,
    (a, b) => (a.key === b.key ? undefined : { manner: "changed" }),
  ).map((difference) => ({ ...difference, effect: difference.effect ?? "unknown" }));
}

export function compareRequired({ before, after }: Sides<RequiredPart>): Difference[] {
  const names = (parts: readonly RequiredPart[]): Set<string> => new Set(parts.map((part) => part.name));
  const [old, young] = [names(before), names(after)];
  return [
    ...before
      .filter((part) => !young.has(part.name))
      .map(
        (part): Difference => ({
          subject: "required",
          manner: "removed",
          path: part.at,
          before: part.name,
          message: `${show(part.name)} is no longer required`,
        }),
      ),
    ...after
      .filter((part) => !old.has(part.name))
      .map(
        (part): Difference => ({
          subject: "required",
          manner: "added",
          path: part.at,
          after: part.name,
          message: `${show(part.name)} became required`,
        }),
      ),
  ];
}

function byRelation(prover: Prover, a: Part, b: Part): Pick<Difference, "manner" | "effect"> | undefined {
  const relation = relateParts(prover, a, b);
  if (relation === "none") return undefined;
  const manner = relation === "narrows" ? "tightened" : relation === "widens" ? "loosened" : "changed";
  return { manner, effect: relation };
}

function limitOf(part: BoundPart | SizePart): JsonValue {
  if (!("open" in part) || !part.open) return part.value;
  return `${part.part === "minimum" ? ">" : "<"} ${part.value}`;
}

/** Positive when `a` excludes more than `b`. */
function compareStrictness(a: BoundPart | SizePart, b: BoundPart | SizePart): number {
  const open = (part: BoundPart | SizePart): number => ("open" in part && part.open ? 1 : 0);
  const difference = a.part.startsWith("min") ? a.value - b.value : b.value - a.value;
  return difference || open(a) - open(b);
}

/** Pairs the parts that are about the same thing and names what is different in or between them. */
function pair<P extends Exclude<Part, { part: "any" | "one" }>>(
  { before, after }: Sides<P>,
  match: (a: P, b: P) => boolean,
  valueFor: (part: P) => JsonValue,
  compare: (a: P, b: P) => Pick<Difference, "manner" | "effect"> | undefined,
): Difference[] {
  const keyOf = (part: P): string =>
    `${part.part === "opaque" ? part.keyword : part.part} ${JSON.stringify(valueFor(part))}`;
  const [old, young] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  const left = before.filter((a) => !young.has(keyOf(a)));
  const right = after.filter((b) => !old.has(keyOf(b)));
  const differences: Difference[] = [];
  for (const b of right) {
    const a = left.find((candidate) => match(candidate, b));
    if (a) left.splice(left.indexOf(a), 1);
    const difference = a ? compare(a, b) : { manner: "added" as const };
    if (difference)
      differences.push({
        subject: subjectOf(b),
        path: b.at,
        before: a && valueFor(a),
        after: valueFor(b),
        ...difference,
      });
  }
  for (const a of left) differences.push({ subject: subjectOf(a), manner: "removed", path: a.at, before: valueFor(a) });
  return differences;
}

function subjectOf(part: Part): Difference["subject"] {
  if (part.part === "opaque") return part.keyword === "format" ? "format" : "schema";
  return part.part as Difference["subject"];
}
