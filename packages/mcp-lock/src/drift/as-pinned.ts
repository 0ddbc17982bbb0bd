import type { VisitAnswers } from "@agentprint/mcp";
import { checkAnswers, checkArgument, ENTRY } from "../check-argument.ts";
import type { LockedServer } from "../lock/lock.ts";
import { PinnedValues, pinnedValuesOf } from "../varies/pinned-values.ts";
import { holdersOfVisit } from "../varies/varying-holders.ts";
import type { VaryingMember } from "../varies/varying-member.ts";
import { varyingForm, varyingPlace } from "../varies/varying-place.ts";

/**
 * Returns a visit's answers with the pinned value of each member that the entry allows to vary. A text replaces only a
 * text, and an array that may come in any order replaces only an array with the same elements.
 *
 * @example
 * ```ts
 * import { asPinned } from "@agentprint/mcp-lock";
 *
 * const [entry] = lock.servers;
 * if (entry) console.log(asPinned(entry, answers).sessions.length); // 1
 * ```
 */
export function asPinned(entry: LockedServer, answers: VisitAnswers): VisitAnswers {
  checkArgument("entry", entry, ENTRY);
  checkAnswers("answers", answers);
  if (entry.varies === undefined) return answers;
  const pinned = pinnedValuesOf(entry);
  return { ...answers, sessions: answers.sessions.map((session) => pinned.session(session)) };
}

/**
 * Returns the varying members that a visit still has; members of a removed item are left out.
 *
 * @example
 * ```ts
 * import { variesIn } from "@agentprint/mcp-lock";
 *
 * console.log(variesIn([{ kind: "tool", name: "gone", pointer: "/description", as: "any" }], answers)); // []
 * ```
 */
export function variesIn(varies: readonly VaryingMember[], answers: VisitAnswers): VaryingMember[] {
  checkArgument("varies", varies, ["object"]);
  checkAnswers("answers", answers);
  const found = new PinnedValues(varies, holdersOfVisit(answers));
  return varies.filter((member) => found.has(member));
}

/** A pattern for a member of one item, of the greeting, or of every item of a kind. */
export interface VaryingPattern extends Pick<VaryingMember, "kind" | "pointer"> {
  readonly name?: string;
  /** Whether the pattern matches the member in every item that has it. */
  readonly isEach: boolean;
}

/**
 * Returns the members that a pattern matches in a visit's answers, each once. A named member that does not exist, or is
 * part of the contract, is also returned, so that {@link lockServer} reports why it cannot vary.
 *
 * @example
 * ```ts
 * import { varyingMembersIn } from "@agentprint/mcp-lock";
 *
 * const pattern = { kind: "tool", name: "gone", pointer: "/description", isEach: false } as const;
 * console.log(varyingMembersIn(pattern, answers)); // [{ kind: "tool", pointer: "/description", as: "any", name: "gone" }]
 * ```
 */
export function varyingMembersIn(pattern: VaryingPattern, answers: VisitAnswers): VaryingMember[] {
  checkArgument("pattern", pattern, { kind: "string", pointer: "string" });
  checkAnswers("answers", answers);
  const { kind, name, pointer, isEach } = pattern;
  const found = new Map<string | undefined, VaryingMember>();
  for (const holder of holdersOfVisit(answers)) {
    if (holder.kind !== kind || !(isEach || holder.name === name) || found.has(holder.name)) continue;
    const place = varyingPlace(kind, holder.value, pointer);
    if (typeof place === "string") continue;
    found.set(holder.name, {
      kind,
      ...(holder.name !== undefined && { name: holder.name }),
      pointer,
      as: varyingForm(place.form),
    });
  }
  return found.size > 0 ? [...found.values()] : [{ kind, pointer, as: "any", ...(name !== undefined && { name }) }];
}
