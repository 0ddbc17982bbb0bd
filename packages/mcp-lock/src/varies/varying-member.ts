import { compareCodeUnits, printable } from "@agentprint/canonical-json";
import { checkArgument } from "../check-argument.ts";

/** The kinds of definitions that can have a varying member: some kinds of items, and the greeting. */
export const VARYING_KINDS = ["tool", "prompt", "resource", "greeting"] as const;

/** The kind of a varying member's holder; `greeting` is the result of `initialize` or `server/discover`. */
export type VaryingKind = (typeof VARYING_KINDS)[number];

/** How a member may vary: any value of its form, or the same elements in any order. */
export type VaryingForm = "any" | "set";

/** A member that may have a different value in each of a server's answers, as named in a lock entry. */
export interface VaryingMember {
  readonly kind: VaryingKind;
  /** The name of the tool or prompt, or the URI of the resource; absent for the greeting. */
  readonly name?: string;
  /** The JSON Pointer (RFC 6901) from the definition, or from the greeting, to the member. */
  readonly pointer: string;
  readonly as: VaryingForm;
}

/** Returns a text that two members share only if they are at the same place. */
export function keyOfMember({ kind, name, pointer }: Omit<VaryingMember, "as">): string {
  return JSON.stringify([kind, name ?? null, pointer]);
}

/** Returns the members in the order of a lock: by kind, name and pointer in code-unit order. */
export function sortedVaries(varies: readonly VaryingMember[]): VaryingMember[] {
  return varies.toSorted(
    (a, b) =>
      compareCodeUnits(a.kind, b.kind) ||
      compareCodeUnits(a.name ?? "", b.name ?? "") ||
      compareCodeUnits(a.pointer, b.pointer),
  );
}

/**
 * Returns a description of a member, with its possible values.
 *
 * @example
 * ```ts
 * import { varyingInWords } from "@agentprint/mcp-lock/lock";
 *
 * const member = { kind: "tool", name: "search", pointer: "/description", as: "any" } as const;
 * console.log(varyingInWords(member)); // tool search at /description (any value)
 * ```
 */
export function varyingInWords(member: VaryingMember): string {
  checkArgument("member", member, { kind: "string", pointer: "string", as: "string" });
  return `${memberInWords(member)} (${member.as === "set" ? "any order" : "any value"})`;
}

const MAX_SHOWN = 200;

/** Returns a description of a member: `tool search at /description`. */
export function memberInWords({ kind, name, pointer }: Omit<VaryingMember, "as">): string {
  const words = name === undefined ? kind : `${kind} ${printable(name, MAX_SHOWN)}`;
  return `${words} at ${printable(pointer, MAX_SHOWN)}`;
}
