import { deepFreeze } from "@agentprint/canonical-json";
import type { ChangeKind } from "@agentprint/manifest";
import type { DriftRule, RuleExample } from "@agentprint/mcp-lock/findings";
import type { ManifestRuleId } from "./manifest-rule-id.ts";

/** The rules of findings about two manifests: their meaning, and what to do about them. */
export const CHANGE_RULES: Readonly<Record<ManifestRuleId<ChangeKind>, DriftRule>> = /* @__PURE__ */ deepFreeze({
  "manifest/tool-removed": breaking("A tool is gone. A renamed tool is one that is gone and one that is new.", {
    text: "A tool is no longer offered.",
    before: ["read", "write"],
    after: ["read"],
  }),
  "manifest/input-schema-changed": breaking("The input_schema of a tool changed, in whatever way.", {
    text: "A tool takes one more argument.",
    before: { properties: {} },
    after: { properties: { bcc: { type: "string" } } },
  }),
  "manifest/permission-scope-escalated": breaking("A tool needs a more sensitive permission than before.", {
    text: "A tool that read now writes.",
    before: "files:read",
    after: "files:write",
  }),
  "manifest/permission-scope-removed": breaking("A permission is gone and can no longer be granted.", {
    text: "A permission is no longer declared.",
    before: ["files:read", "mail:send"],
    after: ["files:read"],
  }),
  "manifest/capability-flag-revoked": breaking("A capability that was declared no longer is.", {
    text: "The agent no longer says that it streams.",
    before: { streaming: true },
    after: { streaming: false },
  }),
  "manifest/tool-added": harmless("A tool is new.", {
    text: "The agent offers one more tool.",
    before: ["read"],
    after: ["read", "search"],
  }),
  "manifest/permission-scope-added": harmless("A permission is new; it is not granted until users agree.", {
    text: "One more permission is declared.",
    before: ["files:read"],
    after: ["files:read", "mail:send"],
  }),
  "manifest/description-changed": harmless("The description of a tool has another text.", {
    text: "A typing error was corrected.",
    before: "Raeds a file",
    after: "Reads a file",
  }),
  "manifest/label-changed": harmless("The label of a permission has another text.", {
    text: "A permission is named in other words.",
    before: "Read files",
    after: "Read your files",
  }),
  "manifest/capability-flag-enabled": harmless("A capability is declared that was not.", {
    text: "The agent now says that it streams.",
    before: { streaming: false },
    after: { streaming: true },
  }),
  "manifest/agent-version-changed": harmless("agent_version changed.", {
    text: "A release.",
    before: "1.0.0",
    after: "1.1.0",
  }),
  "manifest/permission-scope-changed": unclassified(
    "A tool needs a less sensitive permission, or another one that is as sensitive.",
    { text: "A tool needs another permission of the same sensitivity.", before: "files:read", after: "notes:read" },
  ),
  "manifest/sensitivity-changed": unclassified("The sensitivity of a permission changed that no remaining tool kept.", {
    text: "A permission that no tool kept became more sensitive.",
    before: "low",
    after: "high",
  }),
  "manifest/timeout-changed": unclassified("The time limit of a tool changed.", {
    text: "A tool may take longer.",
    before: 10000,
    after: 60000,
  }),
  "manifest/capability-flag-shape-changed": unclassified(
    "A capability that is not declared is written now, or no longer.",
    { text: "A capability that is not there is written out.", before: {}, after: { streaming: false } },
  ),
  "manifest/tools-reordered": unclassified("The tools come in another order.", {
    text: "Two tools changed places.",
    before: ["read", "write"],
    after: ["write", "read"],
  }),
  "manifest/permission-scopes-reordered": unclassified("The permissions come in another order.", {
    text: "Two permissions changed places.",
    before: ["a:read", "b:read"],
    after: ["b:read", "a:read"],
  }),
});

function breaking(summary: string, example: RuleExample): DriftRule {
  const why = "Users agreed to something else, and are asked again.";
  const help = "Users are asked to review the agent again. Publish the change on purpose, or take it back.";
  return { level: "error", summary, help, why, example };
}

function harmless(summary: string, example: RuleExample): DriftRule {
  const why = "Nothing that users agreed to got more.";
  return { level: "note", summary, help: "Nothing has to be done: users are not asked again.", why, example };
}

function unclassified(summary: string, example: RuleExample): DriftRule {
  const why = "Nobody wrote down whether users have to be asked again.";
  const help = "The specification of the manifest does not say whether this change breaks users: review it.";
  return { level: "warning", summary, help, why, example };
}
