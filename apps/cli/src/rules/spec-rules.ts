import type { Rule } from "@agentprint/report";

/** What each finding about a spec means and what to do about it. */
export const SPEC_RULES: Readonly<Record<"spec/drift" | "spec/undecided" | "spec/unseen", Rule>> = {
  "spec/drift": {
    level: "error",
    summary: "The definition of an agent changed.",
    help: "Review the change. If the change is meant, start a new run.",
  },
  "spec/undecided": {
    level: "error",
    summary:
      "A recorded fingerprint does not tell whether a field changed: its version hashes the field in another way.",
    help: "Compare the field with the spec that the run was started with.",
  },
  "spec/unseen": {
    level: "note",
    summary: "A spec holds something that no hash of a spec covers.",
    help: "Pin it by other means.",
  },
};
