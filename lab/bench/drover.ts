import { hashSpec } from "@agentprint/drover";
import { agentSpec } from "./corpora.ts";
import type { Comparison, Suite } from "./measure.ts";

export const specSuite: Suite = {
  title: "Spec hash (JSON.stringify and a bare loop over its code units = 1)",
  comparisons: () => [
    () => {
      const spec = agentSpec();
      return {
        name: "spec, 200 KB",
        reference: "bare loop",
        ours: "agentprint",
        // The hash may take at most 1.6 times the reference's time.
        bar: 1 / 1.6,
        contenders: { agentprint: () => hashSpec(spec), "bare loop": () => foldJson(spec) },
      } satisfies Comparison;
    },
  ],
};

function foldJson(value: unknown): number {
  const text = JSON.stringify(value);
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
