import { type AgentSpec, diffSpecs, SPEC_COVERAGE, type SpecFingerprint } from "@agentprint/drover";
import * as z from "zod";
import { jsonObject, readObject } from "./arguments.ts";
import { defineTool, READS } from "./tool.ts";

const Hashes = z.object({ spec32: z.string(), sha256: z.string() });
const COVERAGES = Object.keys(SPEC_COVERAGE) as [keyof typeof SPEC_COVERAGE];

/** `spec_drift_check`: checks whether an agent's spec has drifted since a run was paused. */
export const specDriftCheck = defineTool({
  name: "spec_drift_check",
  title: "Check a spec for drift",
  description:
    "Compares the recorded spec or fingerprint of an agent with its spec now, and names the fields that differ. " +
    '`drifted: "unknown"` means that it is unknown: do not resume.',
  input: z.strictObject({
    before: jsonObject("The spec as it was recorded, or its fingerprint"),
    after: jsonObject("The spec now"),
    coverage: z.enum(COVERAGES).optional().describe("The field list with which the run was recorded."),
  }),
  output: z.object({
    drifted: z.union([z.boolean(), z.literal("unknown")]),
    before: Hashes,
    after: Hashes,
    changes: z.array(z.looseObject({ field: z.string(), kind: z.string() })),
    undecided: z
      .array(z.string())
      .describe("Fields for which the recorded fingerprint cannot show whether they changed."),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
  }),
  annotations: READS,
  run: ({ before, after, coverage }) => {
    const recorded = readObject("before", before) as unknown as AgentSpec | SpecFingerprint;
    const spec = readObject("after", after) as unknown as AgentSpec;
    const content = diffSpecs(recorded, spec, coverage === undefined ? {} : { coverage });
    const { drifted, changes, undecided, warnings } = content;
    const fields = [
      ...changes.map(({ field, kind }) => `${kind}: ${field}`),
      ...undecided.map((field) => `unknown: ${field}`),
    ];
    const summary = drifted === "unknown" ? "Cannot tell." : drifted ? "The spec drifted." : "The spec is the same.";
    return { content, text: [summary, ...fields, ...warnings.map(({ message }) => `warning: ${message}`)].join("\n") };
  },
});
