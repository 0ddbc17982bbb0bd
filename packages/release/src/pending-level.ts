import { parse } from "yaml";
import { ReleaseError } from "./errors.ts";
import { highestLevel, RELEASE_LEVELS, type ReleaseLevel } from "./levels.ts";

/** The maximum length of a changeset in UTF-16 code units. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Returns the highest level that changesets declare for a package; `none` if no changeset names the package.
 *
 * @param texts The changesets' texts
 * @param name The package's name
 * @throws {@link ReleaseError} `invalid-changeset`
 * @example
 * ```ts
 * import { pendingLevel } from "@agentprint/release";
 *
 * console.log(pendingLevel(['---\n"my-server": minor\n---\n\nA new tool.\n'], "my-server")); // minor
 * ```
 */
export function pendingLevel(texts: readonly string[], name: string): ReleaseLevel {
  return highestLevel(texts.map((text) => levelIn(text, name)));
}

function levelIn(text: string, name: string): ReleaseLevel {
  const [, head] = (text.length <= MAX_LENGTH && /^\uFEFF?---\r?\n([\s\S]*?)(?:\r?\n)?---/.exec(text)) || [];
  const levels: unknown = head === undefined ? undefined : levelsIn(head);
  if (typeof levels !== "object" || levels === null) throw invalid(`this is not a changeset: ${text.slice(0, 80)}`);
  const level: unknown = Object.hasOwn(levels, name) ? Reflect.get(levels, name) : "none";
  const known = RELEASE_LEVELS.find((each) => each === level);
  if (known !== undefined) return known;
  throw invalid(`a changeset gives ${name} the level ${String(level).slice(0, 80)}`);
}

/** Returns the levels by package name, or `undefined` if the front matter cannot be read. */
function levelsIn(head: string): unknown {
  try {
    return parse(head, { logLevel: "error", maxAliasCount: 0 }) ?? {};
  } catch {
    return undefined;
  }
}

function invalid(message: string): ReleaseError {
  return new ReleaseError("invalid-changeset", message, {
    expected: "front matter that gives packages none, patch, minor or major",
  });
}
