import type { JsonValue } from "@agentprint/canonical-json";
import fc from "fast-check";

/** Small JSON values that are often equal, with some names that `Object.prototype` has too. */
export const anyJson: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom<JsonValue>(null, true, false, 0, -0, 1, "", "a", "é"),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "toString"), tie("value"), { maxKeys: 3 }),
  ),
})).value;
