import { existsSync, readFileSync } from "node:fs";
import {
  type AgentSpec,
  checkResume,
  hashSpec,
  type SpecCoverage,
  SpecError,
  specHashPayload,
} from "@agentprint/drover";
import { describe, expect, test } from "vitest";

const oracle = new URL("../../../../shared/oracle/", import.meta.url);
const present = existsSync(new URL("drover/hashSpec.json", oracle));
const { decode } = present ? await import(new URL("tagged.mjs", oracle).href) : { decode: (input: unknown) => input };

interface OracleCase {
  readonly id: string;
  readonly note: string;
  readonly input: unknown;
  readonly expected: {
    readonly canonical?: string;
    readonly digest?: string;
    readonly ok?: boolean;
    readonly error?: { readonly name?: string; readonly message?: string; readonly tag?: string };
  };
  readonly alternates?: { readonly [name: string]: { readonly digest: string } };
}

const load = (name: string): OracleCase[] =>
  present ? JSON.parse(readFileSync(new URL(`drover/${name}.json`, oracle), "utf8")) : [];

describe.skipIf(!present)("the published hashes (skipped: ../shared/oracle is not here)", () => {
  test.each(load("hashSpec"))("$id $note", ({ input, expected, alternates = {} }) => {
    const spec = decode(input) as AgentSpec;
    if (expected.error !== undefined) {
      expect(() => hashSpec(spec)).toThrow(SpecError);
      return;
    }
    if (expected.canonical) expect(specHashPayload(spec)).toBe(expected.canonical);
    expect(hashSpec(spec)).toBe(expected.digest);
    for (const [name, alternate] of Object.entries(alternates)) {
      if (name === "seedQuotaOmitted") continue;
      expect(hashSpec(spec, { coverage: name as SpecCoverage }), name).toBe(alternate.digest);
    }
  });
});

interface ResumeInput {
  readonly runId: string;
  readonly spec: AgentSpec;
  readonly optionsPlugins?: { id: string }[];
  readonly runRow: { agentId: string; status: string; specHash: string } | null;
  readonly checkpoint: unknown;
  readonly storageError?: unknown;
}

describe.skipIf(!present)("the published resume checks (skipped: ../shared/oracle is not here)", () => {
  test.each(load("resumeCheck"))("$id $note", async ({ input, expected }) => {
    const { runId, spec, optionsPlugins, runRow, checkpoint, storageError } = decode(input) as ResumeInput;
    expect(storageError).toBeUndefined();
    const storage = { loadRun: async () => runRow, loadLatestCheckpoint: async () => checkpoint };
    const result = await checkResume(spec, runId, { storage, plugins: optionsPlugins });
    if (expected.ok) expect(result).toMatchObject({ ok: true, run: runRow, checkpoint });
    else expect(result).toMatchObject({ ok: false, error: { _tag: "ResumeError", message: expected.error?.message } });
  });
});
