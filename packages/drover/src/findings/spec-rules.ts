import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The meaning of each finding about a spec, and its remedy. */
export const SPEC_RULES: Rules<"spec/drift" | "spec/undecided" | "spec/unseen"> = /* @__PURE__ */ deepFreeze({
  "spec/drift": {
    level: "error",
    summary: "An agent's definition changed.",
    help: "Review the change. If the change is intended, start a new run.",
    why: "A paused run would continue with a definition that it did not start with.",
    example: {
      text: "An agent's model changed while its run was paused.",
      before: { model: "small-1" },
      after: { model: "large-2" },
    },
  },
  "spec/undecided": {
    level: "error",
    summary: "A recorded fingerprint cannot show whether a field changed: its version hashes the field differently.",
    help: "Compare the field with the spec with which the run was started.",
    why: "Without certainty, continuing would be a guess.",
    example: { text: "The run was recorded by a version that hashed only the tools' names." },
  },
  "spec/unseen": {
    level: "note",
    summary: "A spec contains a part that no hash covers.",
    help: "Pin it by other means.",
    why: "A part that no hash covers can change without a finding.",
    example: { text: "A tool is a function, and no hash covers its code.", after: { tools: { search: "a function" } } },
  },
});
