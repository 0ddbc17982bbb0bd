import type { JsonValue } from "@agentprint/canonical-json";
import { someMember } from "@agentprint/json-schema";

/** The dynamic references, and the anchors that they lead to. */
const ANCHORS = [
  ["$dynamicRef", "$dynamicAnchor"],
  ["$recursiveRef", "$recursiveAnchor"],
] as const;

/**
 * Returns whether a reference can lead to different schemas, depending on the schemas through which a validator has
 * passed (2020-12 Core §8.2.3.2), because the same anchor occurs twice. The schema of such a reference is not always
 * equal to itself.
 */
export function dependsOnScope(document: JsonValue): boolean {
  return ANCHORS.some(
    ([keyword, anchor]) => someMember(document, (name) => name === keyword) && occursTwice(document, anchor),
  );
}

function occursTwice(document: JsonValue, anchor: string): boolean {
  const values = new Set<JsonValue>();
  return someMember(document, (name, value) => name === anchor && values.size === values.add(value).size);
}
