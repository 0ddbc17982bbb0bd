/**
 * The maximum length of a compared name or pattern, and the maximum number of patterns, so that no file takes long to
 * compare.
 */
const MAX_LENGTH = 100;
const MAX_PATTERNS = 50;

/**
 * Returns a function that reports whether a list contains a name or a matching pattern, in which `*` stands for any
 * characters and `?` for one, as Qwen Code reads it: https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/
 *
 * @returns A function that returns `undefined` if there is no list, or if its patterns are too many or too long to
 * compare
 */
export function namePatterns(list: readonly unknown[] | undefined): (name: string) => boolean | undefined {
  if (list === undefined) return () => undefined;
  const names = new Set(list);
  const patterns = list.filter((each): each is string => typeof each === "string" && /[*?]/.test(each));
  const isLong = patterns.length > MAX_PATTERNS || patterns.some(({ length }) => length > MAX_LENGTH);
  return (name) => {
    if (names.has(name) || patterns.length === 0) return names.has(name);
    if (isLong || name.length > MAX_LENGTH) return undefined;
    return patterns.some((pattern) => isMatch(pattern, name));
  };
}

/** Matches each `*` with as few characters as the rest of the pattern allows. */
function isMatch(pattern: string, name: string): boolean {
  let [at, star, taken] = [0, -1, 0];
  for (let next = 0; next < name.length; ) {
    if (pattern[at] === "*") [star, taken] = [at++, next];
    else if (pattern[at] === "?" || pattern[at] === name[next]) [at, next] = [at + 1, next + 1];
    else if (star === -1) return false;
    else [at, next] = [star + 1, ++taken];
  }
  return /^\**$/.test(pattern.slice(at));
}
