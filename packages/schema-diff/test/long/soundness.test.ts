import { testSoundness } from "../support/soundness.ts";

/** Longer runs: `SCHEMA_DIFF_RUNS=20000 vitest run --mode long soundness`. */
testSoundness(Number(process.env["SCHEMA_DIFF_RUNS"] ?? 400));
