import { isPathWithin, isRootWithin, problemOfRoot } from "./path-within.ts";
import { isHostWithin, isUrlTo, problemOfHost } from "./url-host.ts";

/** A keyword that a policy may use in `arguments` in addition to JSON Schema's. Its value is one string or several. */
export interface CallKeyword {
  readonly name: "path-within" | "url-host";
  /** The form that each string of the value must have. */
  readonly expected: string;
  /** Returns the problem with one string of the value; `undefined` for a valid string. */
  problemOf(allowed: string): string | undefined;
  /** Returns whether a string in a call's arguments is allowed. */
  allows(text: string, allowed: readonly string[]): boolean;
  /** Returns whether one string of a value allows only what another one allows. */
  isWithin(inner: string, outer: string): boolean;
}

/** The keywords by name. */
export const CALL_KEYWORDS: ReadonlyMap<string, CallKeyword> = new Map<string, CallKeyword>([
  [
    "path-within",
    {
      name: "path-within",
      expected: "a path such as /srv/data, ~/data, data, C:\\data or \\\\server\\share\\data, or several",
      problemOf: problemOfRoot,
      allows: isPathWithin,
      isWithin: isRootWithin,
    },
  ],
  [
    "url-host",
    {
      name: "url-host",
      expected: "a host such as example.com, *.example.com or example.com:8443, or several",
      problemOf: problemOfHost,
      allows: isUrlTo,
      isWithin: isHostWithin,
    },
  ],
]);

/** Returns the strings in a keyword's value. */
export function textsOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]) as readonly string[];
}
