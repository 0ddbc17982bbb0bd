/**
 * Freezes a value and all arrays and objects in its enumerable members, at any depth. The content of a Map or Set can
 * still be changed.
 *
 * @param root - Plain objects and arrays, also in a cycle; it must not hold typed arrays, which cannot be frozen.
 * @returns The same value.
 *
 * @example
 * ```ts
 * import { deepFreeze } from "@agentprint/canonical-json";
 *
 * console.log(Object.isFrozen(deepFreeze({ levels: ["low"] }).levels)); // true
 * ```
 */
export function deepFreeze<T>(root: T): T {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const member of Object.values(Object.freeze(value))) if (typeof member === "object") open.push(member);
  }
  return root;
}
