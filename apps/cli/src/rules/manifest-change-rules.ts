import type { ChangeKind } from "@agentprint/manifest";
import type { Rule } from "@agentprint/report";
import type { ManifestRuleId } from "./manifest-rules.ts";

/** What each finding about two manifests means and what to do about it. */
export const CHANGE_RULES: Readonly<Record<ManifestRuleId<ChangeKind>, Rule>> = {
  "manifest/tool-removed": breaking("A tool is gone. A renamed tool is one that is gone and one that is new."),
  "manifest/input-schema-changed": breaking("The input_schema of a tool changed, in whatever way."),
  "manifest/permission-scope-escalated": breaking("A tool needs a more sensitive permission than before."),
  "manifest/permission-scope-removed": breaking("A permission is gone and can no longer be granted."),
  "manifest/capability-flag-revoked": breaking("A capability that was declared no longer is."),
  "manifest/tool-added": harmless("A tool is new."),
  "manifest/permission-scope-added": harmless("A permission is new; it is not granted until users agree."),
  "manifest/description-changed": harmless("The description of a tool has another text."),
  "manifest/label-changed": harmless("The label of a permission has another text."),
  "manifest/capability-flag-enabled": harmless("A capability is declared that was not."),
  "manifest/agent-version-changed": harmless("agent_version changed."),
  "manifest/permission-scope-changed": unclassified(
    "A tool needs a less sensitive permission, or another one that is as sensitive.",
  ),
  "manifest/sensitivity-changed": unclassified("The sensitivity of a permission changed that no remaining tool kept."),
  "manifest/timeout-changed": unclassified("The time limit of a tool changed."),
  "manifest/capability-flag-shape-changed": unclassified(
    "A capability that is not declared is written now, or no longer.",
  ),
  "manifest/tools-reordered": unclassified("The tools come in another order."),
  "manifest/permission-scopes-reordered": unclassified("The permissions come in another order."),
};

function breaking(summary: string): Rule {
  const help = "Users are asked to review the agent again. Publish the change on purpose, or take it back.";
  return { level: "error", summary, help };
}

function harmless(summary: string): Rule {
  return { level: "note", summary, help: "Nothing has to be done: users are not asked again." };
}

function unclassified(summary: string): Rule {
  const help = "The specification of the manifest does not say whether this change breaks users: review it.";
  return { level: "warning", summary, help };
}
