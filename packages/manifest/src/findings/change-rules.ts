import { deepFreeze } from "@agentprint/canonical-json";
import type { Rule, RuleExample, Rules } from "@agentprint/findings";
import { type ChangeKind, VERDICTS, type Verdict } from "../diff/change.ts";

type ChangeRuleId = `manifest/${ChangeKind}`;

type Words = Pick<Rule, "summary" | "example">;

const WORDS: Readonly<Record<ChangeKind, Words>> = {
  tool_removed: words("A tool is gone. A renamed tool appears as a removed and a new tool.", {
    text: "A tool is no longer offered.",
    before: ["read", "write"],
    after: ["read"],
  }),
  input_schema_changed: words("The input_schema of a tool changed in any way.", {
    text: "A tool takes one more argument.",
    before: { properties: {} },
    after: { properties: { bcc: { type: "string" } } },
  }),
  permission_scope_escalated: words("A tool needs a more sensitive permission than before.", {
    text: "A tool that only read can now write.",
    before: "files:read",
    after: "files:write",
  }),
  permission_scope_removed: words("A permission is gone and can no longer be granted.", {
    text: "A permission is no longer declared.",
    before: ["files:read", "mail:send"],
    after: ["files:read"],
  }),
  capability_flag_revoked: words("A declared capability is no longer declared.", {
    text: "The agent no longer declares that it streams.",
    before: { streaming: true },
    after: { streaming: false },
  }),
  tool_added: words("A tool is new.", {
    text: "The agent offers one more tool.",
    before: ["read"],
    after: ["read", "search"],
  }),
  permission_scope_added: words("A permission is new; it is not granted until users agree.", {
    text: "One more permission is declared.",
    before: ["files:read"],
    after: ["files:read", "mail:send"],
  }),
  description_changed: words("The description of a tool has a different text.", {
    text: "A typo was corrected.",
    before: "Raeds a file",
    after: "Reads a file",
  }),
  label_changed: words("The label of a permission has a different text.", {
    text: "The label of a permission is worded differently.",
    before: "Read files",
    after: "Read your files",
  }),
  capability_flag_enabled: words("A capability is declared that was not declared before.", {
    text: "The agent now declares that it streams.",
    before: { streaming: false },
    after: { streaming: true },
  }),
  agent_version_changed: words("agent_version changed.", {
    text: "A release.",
    before: "1.0.0",
    after: "1.1.0",
  }),
  permission_scope_changed: words("A tool needs a less sensitive permission, or a different, equally sensitive one.", {
    text: "A tool needs a different permission of the same sensitivity.",
    before: "files:read",
    after: "notes:read",
  }),
  sensitivity_changed: words("The sensitivity of a permission that no remaining tool uses changed.", {
    text: "A permission that no remaining tool uses became more sensitive.",
    before: "low",
    after: "high",
  }),
  timeout_changed: words("The time limit of a tool changed.", {
    text: "A tool may take longer.",
    before: 10000,
    after: 60000,
  }),
  capability_flag_shape_changed: words("A disabled capability is now declared explicitly, or no longer is.", {
    text: "An absent capability is written as false.",
    before: {},
    after: { streaming: false },
  }),
  tools_reordered: words("The tools are in a different order.", {
    text: "Two tools changed places.",
    before: ["read", "write"],
    after: ["write", "read"],
  }),
  permission_scopes_reordered: words("The permissions are in a different order.", {
    text: "Two permissions changed places.",
    before: ["a:read", "b:read"],
    after: ["b:read", "a:read"],
  }),
};

function words(summary: string, example: RuleExample): Words {
  return { summary, example };
}

/** The members of a rule that the verdict on its changes determines. */
const BY_VERDICT: Readonly<Record<Verdict, Omit<Rule, keyof Words>>> = {
  breaking: {
    level: "error",
    help: "Users are asked to review the agent again. Publish the change deliberately, or revert it.",
    why: "Users agreed to something different, and are asked again.",
  },
  nonBreaking: {
    level: "note",
    help: "Nothing to do: users are not asked again.",
    why: "The change extends nothing that users agreed to.",
  },
  unclassified: {
    level: "warning",
    help: "The manifest specification does not say whether this change breaks users, so review it.",
    why: "No one recorded whether users must be asked again.",
  },
};

/** The rules for findings about two manifests: what each one means, and what to do about it. */
export const CHANGE_RULES: Rules<ChangeRuleId> = /* @__PURE__ */ deepFreeze(changeRules());

function changeRules(): Rules<ChangeRuleId> {
  const rules = (Object.keys(WORDS) as ChangeKind[]).map((kind): [string, Rule] => {
    const { level, help, why } = BY_VERDICT[VERDICTS[kind]];
    const { summary, example } = WORDS[kind];
    return [`manifest/${kind}`, { level, summary, help, why, example }];
  });
  return Object.fromEntries(rules) as Rules<ChangeRuleId>;
}
