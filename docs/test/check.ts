import { deepEqual } from "node:assert/strict";
import { format } from "node:util";

/**
 * Fails where an example's comment is a JavaScript value that its expression does not have. A comment that is what
 * `console.log` would print is right; one that is neither is prose.
 */
export function check(comment: string, ...values: unknown[]): void {
  if (format(...values) === comment) return;
  let expected: unknown;
  try {
    expected = new Function(`"use strict"; return (${comment});`)();
  } catch {
    return;
  }
  deepEqual(values.length === 1 ? values[0] : values, expected);
}
