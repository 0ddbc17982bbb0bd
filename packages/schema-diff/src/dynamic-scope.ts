import type { JsonValue } from "@agentprint/canonical-json";
import { someMember } from "@agentprint/json-schema";

/** A reference that leads to the outermost anchor of its name, and such an anchor. */
const [REFERENCE, ANCHOR] = [/^\$(?:dynamic|recursive)Ref$/, /^\$(?:dynamic|recursive)Anchor$/];

/**
 * Returns whether a reference can lead to different schemas, depending on the schemas through which a validator has
 * passed (2020-12 Core §8.2.3.2), because the same anchor occurs twice. The schema of such a reference is not always
 * equal to itself.
 */
export function dependsOnScope(document: JsonValue): boolean {
  const anchors = new Set<JsonValue>();
  const isRepeated = (name: string, anchor: JsonValue) =>
    ANCHOR.test(name) && anchors.size === anchors.add(anchor).size;
  return someMember(document, (name) => REFERENCE.test(name)) && someMember(document, isRepeated);
}
