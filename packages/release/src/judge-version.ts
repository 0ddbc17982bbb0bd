import { coerce, compare, inc, parse, type SemVer } from "semver";
import { ReleaseError } from "./errors.ts";
import type { ReleaseLevel } from "./levels.ts";

/** The verdict on a declared version. */
export interface VersionVerdict {
  /** Whether the declared version is at least as high as the level requires. */
  readonly isEnough: boolean;
  /** The smallest version that is enough. */
  readonly least: string;
  /** Whether the versions are dates, which say nothing about the change, so any later version is enough. */
  readonly isCalendar: boolean;
}

/** The number from which the first part of a version counts as a year. */
const FIRST_YEAR = 2000;

/**
 * Judges the version that an author declares for a release.
 *
 * Below 1.0.0, npm's range `^` applies: `0.2.0` after `0.1.9` is major, and so is every version after `0.0.1`. A
 * pre-release after a pre-release of the same version promises nothing and is therefore enough.
 *
 * @param last The version of the previous release
 * @param declared The version of the next release, for npm or PyPI
 * @throws {@link ReleaseError} `invalid-version`
 * @example
 * ```ts
 * import { judgeVersion } from "@agentprint/release";
 *
 * console.log(judgeVersion("1.2.0", "1.3.0", "major")); // { isEnough: false, least: "2.0.0", isCalendar: false }
 * console.log(judgeVersion("0.2.0", "0.3.0", "major").isEnough); // true
 * ```
 */
export function judgeVersion(last: string, declared: string, level: ReleaseLevel): VersionVerdict {
  const [from, to] = [versionOf(last), versionOf(declared)];
  const isCalendar = from.major >= FIRST_YEAR && to.major >= FIRST_YEAR;
  const order = compare(to, from);
  if (level === "none") return { isEnough: order >= 0, least: from.version, isCalendar };
  const least = inc(from, isCalendar ? "patch" : bumpOf(from, level)) ?? from.version;
  const isSamePreRelease = from.prerelease.length > 0 && to.compareMain(from) === 0;
  const isEnough = order > 0 && (isCalendar || isSamePreRelease || to.compareMain(least) >= 0);
  return { isEnough, least, isCalendar };
}

/** Returns the index of the version part that a level increments, which is one further right for each leading zero. */
function bumpOf({ major, minor }: SemVer, level: Exclude<ReleaseLevel, "none">): "major" | "minor" | "patch" {
  if (major > 0) return level;
  return minor > 0 && level === "major" ? "minor" : "patch";
}

/** npm identifiers in the order of the PyPI pre-releases that they stand for. */
const PYTHON_ORDER: Readonly<Record<string, string>> = { d: "0", a: "a", b: "b", c: "rc", r: "rc", p: "rc" };

/** PyPI versions can have fewer or more parts and write pre-releases differently. */
const PYTHON = /^(\d+(?:\.\d+)*)[._-]?(?:(a|alpha|b|beta|c|rc|pre|preview|dev)[._-]?(\d*))(?:[._-]?dev\d*)?$/i;

/** The maximum length of a version in UTF-16 code units. */
const MAX_LENGTH = 256;

function versionOf(text: string): SemVer {
  const exact = parse(text.trim());
  if (exact !== null) return exact;
  const [, main = text.trim(), kind, number] = (text.length <= MAX_LENGTH && PYTHON.exec(text.trim())) || [];
  const found = /^v?\d+(\.\d+)*(?:[.+-]?post\d+|\+[\w.]+)?$/i.test(main) ? coerce(main) : null;
  const version =
    found &&
    parse(kind ? `${found.version}-${PYTHON_ORDER[kind.charAt(0).toLowerCase()]}.${Number(number)}` : found.version);
  if (version) return version;
  throw new ReleaseError("invalid-version", `this is not a version: ${text.slice(0, MAX_LENGTH)}`, {
    expected: "an npm or PyPI version, such as 1.2.3",
  });
}

/** Returns the next version for a level. */
export function nextVersion(version: string, level: ReleaseLevel): string {
  const from = versionOf(version);
  return level === "none" ? from.version : (inc(from, level) ?? from.version);
}
