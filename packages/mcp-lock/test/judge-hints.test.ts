import type { JsonObject, JsonValue } from "@agentprint/canonical-json";
import { anyJson } from "@agentprint/testing/lock/arbitrary-tools";
import { answersOf } from "@agentprint/testing/lock/offer";
import { runs } from "@agentprint/testing/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkLock, createLock, driftFindings } from "../src/index.ts";

const tool = { name: "send", inputSchema: { type: "object" } };

/** Returns the rule, level and pointer of each finding about a tool whose annotations change. */
function rowsOf(before: JsonValue | undefined, after: JsonValue | undefined): string[] {
  const of = (annotations: JsonValue | undefined) => ({ ...tool, ...(annotations !== undefined && { annotations }) });
  const lock = createLock({ mail: answersOf([of(before)]) });
  const drift = checkLock(lock, { mail: answersOf([of(after)]) });
  const changes = driftFindings(drift).filter(({ isRemark }) => !isRemark);
  return changes.map(({ rule, level, place }) => `${rule} ${level} ${place.pointer}`);
}

const [R, D, I, O] = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const at = (rule: string, hint: string) => `mcp/hint-${rule} error /annotations/${hint}`;

describe("the effect of a changed hint", () => {
  test.each<[JsonObject | undefined, JsonObject | undefined, string[]]>([
    [{ [R]: true }, { [R]: false }, [at("more-power", R)]],
    [{ [R]: true }, {}, [at("more-power", R)]],
    [{ [R]: true }, undefined, [at("more-power", R)]],
    [undefined, { [R]: true }, [at("less-asking", R)]],
    [undefined, { [R]: false }, [at("default-written", R)]],
    [{ [D]: false }, { [D]: true }, [at("more-power", D)]],
    [{ [D]: false }, undefined, [at("more-power", D)]],
    [{ [D]: true }, { [D]: false }, [at("less-asking", D)]],
    [{ [D]: true }, undefined, [at("default-written", D)]],
    [{ [I]: true }, undefined, [at("more-power", I)]],
    [undefined, { [I]: true }, [at("less-asking", I)]],
    [{ [O]: false }, undefined, [at("more-power", O)]],
    [undefined, { [O]: false }, [at("less-asking", O)]],
    [undefined, { [O]: true }, [at("default-written", O)]],
    // If readOnlyHint is true, two of the hints are ignored.
    [{ [R]: true }, { [R]: true, [D]: false, [I]: true }, [at("default-written", D), at("default-written", I)]],
    [{ [R]: true, [D]: false }, { [R]: true, [D]: true }, [at("default-written", D)]],
    [{ [R]: true, [O]: true }, { [R]: true, [O]: false }, [at("less-asking", O)]],
    // Flipping readOnlyHint changes whether these hints count.
    [{ [R]: true }, { [R]: false, [D]: true }, [at("more-power", D), at("more-power", R)]],
    [{ [R]: true }, { [R]: false, [D]: false }, [at("more-power", R), at("default-written", D)]],
    [{ [D]: true }, { [R]: true, [D]: false }, [at("less-asking", D), at("less-asking", R)]],
    // More power with fewer prompts: the second may hide the first.
    [{ [R]: true }, { [O]: false }, [at("more-power", R), at("less-asking", O)]],
    [undefined, {}, ["mcp/hint-default-written error /annotations"]],
  ])("%j → %j", (before, after, rows) => {
    expect(rowsOf(before, after)).toEqual(rows);
  });

  test.each<[JsonValue | undefined, JsonValue | undefined, string[]]>([
    [{ title: "Send" }, { title: "Send mail" }, ["mcp/tool-hints-changed error /annotations/title"]],
    [{ x: { y: [1] } }, { x: { y: [2] } }, ["mcp/tool-hints-changed error /annotations/x/y/0"]],
    [undefined, { [R]: "true" }, [`mcp/tool-hints-changed error /annotations/${R}`]],
    [{ [R]: true }, { [R]: "yes" }, [at("more-power", R), `mcp/tool-hints-changed error /annotations/${R}`]],
    [{ [D]: false }, { [D]: null }, [at("more-power", D), `mcp/tool-hints-changed error /annotations/${D}`]],
    [{ [R]: true }, 5, [at("more-power", R), "mcp/tool-hints-changed error /annotations"]],
  ])("%j → %j is no change of a standard hint alone", (before, after, rows) => {
    expect(rowsOf(before, after)).toEqual(rows);
  });
});

/**
 * The specified meaning of the four hints, as a table: for each combination of readOnlyHint and another hint (one
 * letter each: true, false, absent), the tool's power as a number. A larger number means more power.
 */
const POWER: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  [R]: { tt: 0, tf: 0, ta: 0, ft: 1, ff: 1, fa: 1, at: 1, af: 1, aa: 1 },
  [D]: { tt: 0, tf: 0, ta: 0, ft: 1, ff: 0, fa: 1, at: 1, af: 0, aa: 1 },
  [I]: { tt: 0, tf: 0, ta: 0, ft: 0, ff: 1, fa: 1, at: 0, af: 1, aa: 1 },
  [O]: { tt: 1, tf: 0, ta: 1, ft: 1, ff: 0, fa: 1, at: 1, af: 0, aa: 1 },
};

test("four hints, before and after: each change has the effect that the table says", () => {
  const hints = fc.record(
    { [R]: fc.boolean(), [D]: fc.boolean(), [I]: fc.boolean(), [O]: fc.boolean() },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Record<string, boolean>>;
  const letter = (value: boolean | undefined) => (value === undefined ? "a" : value ? "t" : "f");
  fc.assert(
    fc.property(hints, hints, (before, after) => {
      const power = (hint: string, of: Record<string, boolean>) =>
        POWER[hint]?.[letter(of[R]) + letter(of[hint])] ?? NaN;
      const changed = [R, D, I, O].filter((hint) => before[hint] !== after[hint]);
      const steps = changed.map((hint) => Math.sign(power(hint, after) - power(hint, before)));
      const rows = changed.map((hint, i) =>
        steps[i] === 0 ? at("default-written", hint) : at(steps[i] === 1 ? "more-power" : "less-asking", hint),
      );
      expect(rowsOf(before, after).toSorted()).toEqual(rows.toSorted());
    }),
    { numRuns: runs(100) },
  );
});

test("any annotations: there is a finding if and only if they differ", () => {
  fc.assert(
    fc.property(anyJson, anyJson, (before, after) => {
      const isSame = checkLock(createLock({ mail: answersOf([{ ...tool, annotations: before }]) }), {
        mail: answersOf([{ ...tool, annotations: after }]),
      }).outcome;
      expect(rowsOf(before, after).length > 0).toBe(isSame === "drift");
    }),
  );
});
