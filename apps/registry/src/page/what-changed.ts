import { type CapabilityManifest, type Change, diffManifests } from "@agentprint/manifest";

/** The kinds of changes that a timeline distinguishes; a change belongs to the first kind that matches. */
export const NOTEWORTHY = ["breaks", "weakens", "asksMore", "adds", "other"] as const;

/** One of {@link NOTEWORTHY}. */
export type Noteworthy = (typeof NOTEWORTHY)[number];

/**
 * The changes from one version to the next, grouped by their importance to the reader; a new `agent_version` alone is
 * not a change.
 */
export type WhatChanged = Readonly<Record<Noteworthy, readonly Change[]>>;

/** The kinds of changes that a timeline does not list, because the page shows `agent_version` itself. */
const UNLISTED = new Set(["agent_version_changed"]);

/** Describes what changed from one version to the next. */
export function whatChanged(before: CapabilityManifest, after: CapabilityManifest): WhatChanged {
  const { breaking, unclassified, nonBreaking } = diffManifests(before, after);
  const all = [...breaking, ...unclassified, ...nonBreaking].filter(({ kind }) => !UNLISTED.has(kind));
  const broken = new Set(breaking);
  const of = (noteworthy: Noteworthy) => all.filter((change) => kindOf(change, broken.has(change)) === noteworthy);
  return {
    breaks: of("breaks"),
    weakens: of("weakens"),
    asksMore: of("asksMore"),
    adds: of("adds"),
    other: of("other"),
  };
}

function kindOf({ kind, weakens_consent }: Change, isBreaking: boolean): Noteworthy {
  if (isBreaking) return "breaks";
  if (weakens_consent) return "weakens";
  if (kind === "permission_scope_added") return "asksMore";
  return kind === "tool_added" || kind === "capability_flag_enabled" ? "adds" : "other";
}
