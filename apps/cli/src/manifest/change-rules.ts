import { type ChangeKind, VERDICTS } from "@agentprint/manifest";
import type { Rule } from "@agentprint/report";

const BREAKING = "Users are asked to review the agent again. Publish it on purpose, or take the change back.";
const HARMLESS = "Nothing to do: users are not asked again.";
const UNCLASSIFIED = "The specification does not say how this counts: review it.";
const HELP = { breaking: BREAKING, nonBreaking: HARMLESS, unclassified: UNCLASSIFIED };

const SUMMARIES: Readonly<Record<ChangeKind, string>> = {
  tool_removed: "A tool is gone. A renamed tool is one that is gone and one that is new.",
  input_schema_changed: "The input_schema of a tool changed, in whatever way.",
  permission_scope_escalated: "A tool needs a more sensitive permission than before.",
  permission_scope_removed: "A permission is gone and can no longer be granted.",
  capability_flag_revoked: "A capability that was declared no longer is.",
  tool_added: "A tool is new.",
  permission_scope_added: "A permission is new; it is not granted until users agree.",
  description_changed: "The description of a tool has another text.",
  label_changed: "The label of a permission has another text.",
  capability_flag_enabled: "A capability is declared that was not.",
  agent_version_changed: "agent_version changed.",
  permission_scope_changed: "A tool needs a less sensitive permission, or another one that is as sensitive.",
  sensitivity_changed: "The sensitivity of a permission changed that no remaining tool kept.",
  timeout_changed: "The time limit of a tool changed.",
  capability_flag_shape_changed: "A capability that is not declared is written now, or no longer.",
  tools_reordered: "The tools come in another order.",
  permission_scopes_reordered: "The permissions come in another order.",
};

/** What each finding about two manifests means and what to do about it. */
export const CHANGE_RULES: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(VERDICTS).map(([kind, verdict]) => [
    kind,
    { summary: SUMMARIES[kind as ChangeKind], help: HELP[verdict] },
  ]),
);
