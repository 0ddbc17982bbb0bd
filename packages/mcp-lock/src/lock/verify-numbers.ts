import {
  CanonicalJsonError,
  fromPointer,
  type JsonValue,
  type PathSegment,
  parseJson,
  toPointer,
} from "@agentprint/canonical-json";
import type { ItemKind } from "@agentprint/mcp";
import { valueAt } from "../drift/value-at.ts";
import { McpLockError } from "../errors.ts";
import type { LockedItem, LockedTool } from "./lock.ts";

/**
 * Requires that each text in `numbers` belong to the number at its pointer in the definition, and that this number
 * change when it is read as a double. For a content, checks only the form of the pointer, because the lock may not hold
 * the result.
 *
 * @throws {@link McpLockError} `invalid-lock` if one of them does not, or if `numbers` is present but empty.
 */
export function verifyNumbers(
  kind: ItemKind,
  { definition, numbers }: LockedTool | LockedItem,
  at: readonly PathSegment[],
): void {
  if (numbers === undefined) return;
  const entries = Object.entries(numbers);
  if (entries.length === 0) throw new McpLockError("invalid-lock", toPointer(at), "Expected at least one number");
  for (const [pointer, text] of entries) {
    const value = changedBy(text);
    const isOf =
      kind === "content"
        ? isPointer(pointer)
        : isPointer(pointer) && valueAt(definition, fromPointer(pointer)) === value;
    if (value !== undefined && isOf) continue;
    const message = "Expected the text of the number at this pointer, which a double changes";
    throw new McpLockError("invalid-lock", toPointer([...at, pointer]), message);
  }
}

/** Returns the double that a number text becomes if this changes its value; `undefined` for any other text. */
function changedBy(text: string): JsonValue | undefined {
  let isChanged = false;
  try {
    const value = parseJson(text, { exactNumbers: true, tolerate: ({ text: found }) => (isChanged = found === text) });
    return isChanged ? value : undefined;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return undefined;
  }
}

function isPointer(text: string): boolean {
  return /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);
}
