import {
  breaksCallers,
  type Drift,
  type DriftFinding,
  type DriftReport,
  diffEntries,
  driftFindings,
  type LockedServer,
  type Renames,
} from "@agentprint/mcp-lock";
import { DEFAULT_POLICY, decide, type Policy } from "@agentprint/policy/apply";
import { highestLevel, type ReleaseLevel } from "./levels.ts";

/** A change to a server, and the level that it requires. */
export interface ReleaseChange {
  readonly level: Exclude<ReleaseLevel, "none">;
  /** The finding, with its level in the preset `compatible`. */
  readonly finding: DriftFinding;
  /**
   * Whether calls that worked now fail or may fail; a change of level `major` may instead be one that only a person can
   * accept.
   */
  readonly breaks: boolean;
}

/** The level that the changes to a server require. */
export interface ReleaseVerdict {
  readonly level: ReleaseLevel;
  /** In reading order. */
  readonly changes: readonly ReleaseChange[];
}

/** The policy whose errors make a release major. */
const COMPATIBLE: Policy = { ...DEFAULT_POLICY, preset: "compatible" };

/** Warnings that introduce no new name, tool, text or hint to read, and therefore require only a patch. */
export const PATCH_RULES: readonly string[] = /* @__PURE__ */ Object.freeze([
  "mcp/schema-compatible",
  "mcp/server-version-changed",
]);

/** Differences between two visits that say nothing about the server. */
const OF_VISIT: ReadonlySet<string> = new Set([
  "mcp/client-changed",
  "mcp/client-capabilities-changed",
  "mcp/sessions-changed",
  "mcp/entry-changed",
]);

/**
 * Compares two releases of a server, and returns the required version bump and the changes that cause it.
 *
 * A change is `major` if the preset `compatible` fails a check because of it, `minor` if that preset warns about it,
 * and `patch` in all other cases; a schema that provably accepts the same calls and returns the same results is also
 * `patch`, and so is another server version.
 *
 * @param before The previous release's entry, from a visit or a lock
 * @param after The next release's entry, from a visit as the same client
 * @param declared The tool renames that the author declares, old names first
 * @example
 * ```ts
 * import { judgeRelease } from "@agentprint/release";
 *
 * console.log(judgeRelease(before, after).level); // major
 * ```
 */
export function judgeRelease(before: LockedServer, after: LockedServer, declared?: Renames): ReleaseVerdict {
  const changes = driftFindings(withoutHashes(diffEntries(before, after, declared)))
    .filter(({ rule }) => !OF_VISIT.has(rule))
    .map(changeOf);
  return { level: highestLevel(changes.map(({ level }) => level)), changes };
}

/** Returns the report without the hashes that miss a change, because an author compares complete tools. */
function withoutHashes({ servers, ...rest }: DriftReport): DriftReport {
  const without = (drift: Drift): Drift => (drift.type === "tool-changed" ? { ...drift, missedBy: [] } : drift);
  return { ...rest, servers: servers.map((server) => ({ ...server, drifts: server.drifts.map(without) })) };
}

function changeOf(finding: DriftFinding): ReleaseChange {
  const { check } = decide(finding, COMPATIBLE);
  const judged = check === "off" ? finding : { ...finding, level: check };
  return { level: levelOf(judged), finding: judged, breaks: breaksCallers(finding) };
}

function levelOf({ rule, level }: DriftFinding): ReleaseChange["level"] {
  if (PATCH_RULES.includes(rule) || level === "note") return "patch";
  return level === "error" ? "major" : "minor";
}
