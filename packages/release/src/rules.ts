import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The id of a rule about a release. */
export type ReleaseRuleId = "release/version-too-small" | "release/snapshot-differs";

/** The rules about the release of a server. */
export const RELEASE_RULES: Rules<ReleaseRuleId> = /* @__PURE__ */ deepFreeze({
  "release/version-too-small": {
    level: "error",
    summary: "The version that the author declares says less than the change of the tools since the release before.",
    help: "Declare the version that the report names, or take the change back that asks for it.",
    why: "Users and their package managers take a minor version without a look. A call that worked then fails, or a model reads what nobody reviewed.",
    example: { text: "A parameter became required, and the version is a minor one.", before: "1.3.0", after: "2.0.0" },
  },
  "release/snapshot-differs": {
    level: "error",
    summary: "The snapshot of the tools in the repository is not the tools of the working tree.",
    help: "Run `agentprint release --init`, look at the difference of the snapshot, and commit it with the change.",
    why: "Reviewers read the snapshot to see what a change does to the tools. One that is out of date hides that.",
    example: { text: "A tool was added, and the snapshot does not have it.", after: { name: "send_mail" } },
  },
});
