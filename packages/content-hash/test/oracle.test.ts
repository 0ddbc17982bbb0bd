import { existsSync, readFileSync } from "node:fs";
import {
  type CodeHashNormalizedResult,
  computeTextHash,
  createContentHashService,
  executeCodeHashNormalized,
} from "@agentprint/content-hash";
import { describe, expect, test } from "vitest";

const oracle = new URL("../../../../shared/oracle/", import.meta.url);
const present = existsSync(new URL("tul003/tool.json", oracle));
const { decode } = present ? await import(new URL("tagged.mjs", oracle).href) : { decode: (input: unknown) => input };

interface OracleCase<Input, Expected> {
  readonly id: string;
  readonly note: string;
  readonly input: Input;
  readonly expected: Expected;
}

const load = <Input, Expected>(name: string): OracleCase<Input, Expected>[] =>
  present ? JSON.parse(readFileSync(new URL(`tul003/${name}.json`, oracle), "utf8")) : [];

describe.skipIf(!present)("level lagovista is the original (skipped: ../shared/oracle is not here)", () => {
  test.each(load<unknown, { digest: string }>("computeTextHash"))("$id $note", ({ input, expected }) => {
    expect(computeTextHash(decode(input), "lagovista")).toBe(expected.digest);
  });
});

interface ToolInput {
  readonly argumentsJson: string | null;
  readonly cancelled?: boolean;
  readonly hashServiceThrows?: boolean;
}

// In these cases, the original converted other content to a string, but here it must be a string.
const coerced = new Set(["tul003-060", "tul003-061"]);

describe.skipIf(!present)("the original tool (skipped: ../shared/oracle is not here)", () => {
  const cases = load<ToolInput, { payload?: CodeHashNormalizedResult }>("tool").filter(
    ({ expected }) => expected.payload,
  );
  test.each(cases)("$id $note", async ({ id, input, expected }) => {
    const original = createContentHashService({ level: "lagovista" });
    const service = {
      computeTextHash: (content: string): string => {
        if (input.hashServiceThrows) throw new Error("the service is down");
        return original.computeTextHash(content);
      },
    };
    const signal = input.cancelled ? AbortSignal.abort() : new AbortController().signal;
    const result = await executeCodeHashNormalized(input.argumentsJson, { service, signal });
    if (coerced.has(id)) expect(result).toMatchObject({ success: false, errorCode: "INVALID_CONTENT" });
    else expect(JSON.stringify(result)).toBe(JSON.stringify(expected.payload));
  });
});
