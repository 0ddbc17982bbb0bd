import { normalizePath, readingsOf } from "./normalize-path.ts";

/**
 * Returns whether a path leads to a root or into it, however a program reads the path. A root that is not a safe path
 * contains nothing.
 *
 * Symbolic links and shell variables are not followed, because the file system is not read.
 */
export function isPathWithin(path: string, roots: readonly string[]): boolean {
  const readings = readingsOf(path);
  return readings?.every((reading) => roots.some((root) => leadsInto(reading, root))) ?? false;
}

/** Returns the problem with a root of `path-within`; `undefined` for a valid root. */
export function problemOfRoot(root: string): string | undefined {
  if (readingsOf(root)?.length !== 1) return "has percent-encoded or compatibility characters";
  const normal = normalizePath(root);
  return normal.isSafe ? undefined : normal.reason;
}

/** Returns whether everything within the inner root is also within the outer one. */
export function isRootWithin(inner: string, outer: string): boolean {
  return leadsInto(inner, outer);
}

function leadsInto(path: string, root: string): boolean {
  const [inner, outer] = [normalizePath(path), normalizePath(root)];
  return (
    inner.isSafe &&
    outer.isSafe &&
    inner.base === outer.base &&
    outer.segments.every((segment, index) => segment === inner.segments[index])
  );
}
