import { z } from "zod";
import { THOUGHT_TYPES, type ThoughtType } from "./record.ts";

const HASH_UNITS = 64;

/**
 * The shape of a record (§2d): eight strings, of which `prev_hash` and `hash` are 64 characters long. It does not check
 * that `hash` is correct; `verifyChain` of `@agentprint/trail/chain` does.
 *
 * @throws `ZodError` from `.parse`; `.safeParse` returns it instead.
 */
export const ThoughtRecordSchema: z.ZodObject<
  {
    id: z.ZodString;
    type: z.ZodEnum<z.core.util.ToEnum<ThoughtType>>;
    task_id: z.ZodString;
    agent_id: z.ZodString;
    content: z.ZodString;
    timestamp: z.ZodString;
    prev_hash: z.ZodString;
    hash: z.ZodString;
  },
  z.core.$strip
  // This is one pure call, so that a bundle that uses only other exports of the index contains neither the schema nor
  // zod.
> = /* @__PURE__ */ (() => {
  // This is zod's own check, which also applies to arrays and appears in the JSON Schema without an entry in the
  // registry of all schemas. But since 4.6 it counts code points, while the specification counts UTF-16 units.
  const exact = z.length(HASH_UNITS);
  exact._zod.check = ({ value: input, issues }) => {
    const { length } = input as { readonly length: number };
    if (length === HASH_UNITS) return;
    const limit =
      length < HASH_UNITS
        ? ({ code: "too_small", minimum: HASH_UNITS } as const)
        : ({ code: "too_big", maximum: HASH_UNITS } as const);
    const origin = z.core.util.getLengthableOrigin(input);
    issues.push({ ...limit, origin, inclusive: true, exact: true, input, inst: exact });
  };
  const hashText = z.string().check(exact);
  return z.object({
    id: z.string().min(1),
    type: z.enum(THOUGHT_TYPES),
    task_id: z.string().min(1),
    agent_id: z.string().min(1),
    content: z.string(),
    timestamp: z.string().min(1),
    prev_hash: hashText,
    hash: hashText,
  });
})();
