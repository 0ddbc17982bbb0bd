/** The levels of a release, from low to high. `none`: the definitions are the same. */
export const RELEASE_LEVELS: readonly ReleaseLevel[] = /* @__PURE__ */ Object.freeze([
  "none",
  "patch",
  "minor",
  "major",
]);

/** One of {@link RELEASE_LEVELS}. */
export type ReleaseLevel = "none" | "patch" | "minor" | "major";

/** Returns the highest of the given levels; `none` if there are none. */
export function highestLevel(levels: Iterable<ReleaseLevel>): ReleaseLevel {
  let highest: ReleaseLevel = "none";
  for (const level of levels) if (isHigher(level, highest)) highest = level;
  return highest;
}

/** Returns whether a level is higher than another. */
function isHigher(level: ReleaseLevel, other: ReleaseLevel): boolean {
  return RELEASE_LEVELS.indexOf(level) > RELEASE_LEVELS.indexOf(other);
}
