const EMPTY: readonly unknown[] = [];

/** Whether something was assigned to a prototype of all arrays, so that a hole can read as a value. */
export function arraysInherit(): boolean {
  for (const _ in EMPTY) return true;
  return false;
}

/** Whether what an array has at an index is only inherited. */
export function isInherited(node: readonly unknown[], index: number): boolean {
  return index in EMPTY && !Object.hasOwn(node, index);
}
