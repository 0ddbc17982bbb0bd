import { fingerprintSpec } from "@agentprint/drover";
import { describe, expect, test } from "vitest";
import type { Table } from "./change.ts";
import { isAbout, resume, rowOf, tableBelow } from "./observe.ts";

/** Defines a table's tests: each change has its outcome, in both directions, and its row in the README. */
export function checkTable([name, changes]: Table): void {
  const directions = changes.flatMap((change) => [
    change,
    { ...change, what: `${change.what}, the other way round`, before: change.after, after: change.before },
  ]);

  describe(`${name}: of one change`, () => {
    test.each(directions)("$what", async ({ outcome, before, after }) => {
      const recorded = await before();
      expect(await resume(recorded, await before())).toMatchObject({ ok: true });
      const current = await after();
      const result = await resume(recorded, current);
      if ("seen" in outcome) {
        const [was, is] = [fingerprintSpec(recorded).fields, fingerprintSpec(current).fields] as Record<
          string,
          string
        >[];
        expect(was?.[outcome.seen]).not.toBe(is?.[outcome.seen]);
        if (outcome.seen !== "id") expect(result).toMatchObject({ ok: false, error: { code: "spec-drift" } });
      } else {
        const warnings = result.ok ? result.warnings : [];
        expect(warnings.filter((warning) => isAbout(warning, outcome.warned))).not.toEqual([]);
      }
    });

    test("is in the table once", () => {
      expect(new Set(changes.map(({ what }) => what)).size).toBe(changes.length);
    });
  });

  test(`${name}: the README has a row for every change`, async () => {
    expect(tableBelow(name)).toEqual(await Promise.all(changes.map(rowOf)));
  });
}
