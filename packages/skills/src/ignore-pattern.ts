/** A part of a pattern, which matches one byte or a run of them. */
export type PatternPart =
  /** One byte. */
  | { readonly run: "none"; readonly has: (byte: string) => boolean }
  /** `*`: bytes up to the next `/`. */
  | { readonly run: "name" }
  /** `**` followed by `/`: nothing, or complete folders. */
  | { readonly run: "folders" }
  /** `**` at the end: anything. */
  | { readonly run: "all" };

/** Splits a `.gitignore` pattern into parts, as Git's wildmatch reads it; returns `undefined` if the pattern matches nothing. */
export function partsOf(pattern: string): readonly PatternPart[] | undefined {
  const parts: PatternPart[] = [];
  for (let at = 0; at < pattern.length; ) {
    const byte = pattern.charAt(at);
    if (byte === "*") {
      const end = at + (/^\*+/.exec(pattern.slice(at))?.[0].length ?? 0);
      // Git first strips the plain bytes at the start of a pattern, so that `a**/b` is read as `a` and `**/b`.
      const isFirst = !/[*?[\\]/.test(pattern.slice(0, at));
      const isWhole = end - at > 1 && (isFirst || pattern[at - 1] === "/");
      const next = pattern.slice(end, end + 2);
      const isFolders = isWhole && next.startsWith("/");
      const isAll = isWhole && (next === "" || next === "\\/");
      parts.push({ run: isFolders ? "folders" : isAll ? "all" : "name" });
      at = isFolders ? end + 1 : end;
    } else if (byte === "[") {
      const set = setAt(pattern, at);
      if (set === undefined) return undefined;
      parts.push({ run: "none", has: set.has });
      at = set.end;
    } else {
      if (byte === "\\") at++;
      if (at === pattern.length) return undefined;
      const literal = pattern.charAt(at++);
      parts.push({ run: "none", has: byte === "?" ? (each) => each !== "/" : (each) => each === literal });
    }
  }
  return parts;
}

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /\p{Cc}/u,
  digit: /\d/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[\t-\r ]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Returns the set of bytes that begins at `[`, and its end, or `undefined` if it does not end, or has an unknown class. */
function setAt(
  pattern: string,
  start: number,
): { readonly has: (byte: string) => boolean; readonly end: number } | undefined {
  const isNegated = /^\[[!^]/.test(pattern.slice(start, start + 2));
  const tests: ((byte: string) => boolean)[] = [];
  let before: string | undefined;
  let at = start + (isNegated ? 2 : 1);
  // A `]` that comes first is one of the bytes.
  for (let isFirst = true; isFirst || pattern[at] !== "]"; isFirst = false) {
    const named = /^\[:([^\]]*):\]/.exec(pattern.slice(at, at + 12));
    if (named) {
      const regex = CLASSES[named[1] as string];
      if (regex === undefined) return undefined;
      tests.push((byte) => byte < "\u0080" && regex.test(byte));
      before = undefined;
      at += named[0].length;
      continue;
    }
    const isRange = pattern[at] === "-" && before !== undefined && at + 1 < pattern.length && pattern[at + 1] !== "]";
    if (isRange) at++;
    if (pattern[at] === "\\") at++;
    const byte = pattern[at++];
    if (byte === undefined) return undefined;
    const from = isRange ? (before as string) : byte;
    tests.push((each) => each >= from && each <= byte);
    before = isRange ? undefined : byte;
  }
  return { has: (byte) => byte !== "/" && tests.some((test) => test(byte)) !== isNegated, end: at + 1 };
}
