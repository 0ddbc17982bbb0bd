import { deepFreeze } from "@agentprint/canonical-json/json-value";
import type { Rules } from "@agentprint/findings";

/** The id of a rule about the files that agents read in a project. */
export type SkillRuleId =
  | "skills/skill-added"
  | "skills/skill-removed"
  | "skills/instructions-added"
  | "skills/instructions-changed"
  | "skills/instructions-removed"
  | "skills/script-added"
  | "skills/script-changed"
  | "skills/script-removed"
  | "skills/files-changed"
  | "skills/permissions-widened"
  | "skills/permissions-narrowed"
  | "skills/permissions-unread";

const ACCEPT = "Review it, then accept the current state: `agentprint pin --skills --replace`.";

/** The rules about the Agent Skills and the instruction files of a project. */
export const SKILL_RULES: Rules<SkillRuleId> = /* @__PURE__ */ deepFreeze({
  "skills/skill-added": {
    level: "error",
    summary: "An Agent Skill is not in the lock.",
    help: ACCEPT,
    why: "Agents load each skill of a project by its description, and no one has reviewed this one.",
    example: { text: "A change adds a skill.", after: ".claude/skills/deploy" },
  },
  "skills/skill-removed": {
    level: "warning",
    summary: "An Agent Skill in the lock is gone.",
    help: ACCEPT,
    why: "Agents work without the reviewed instructions, or use those of another skill with that name.",
    example: { text: "A skill was deleted.", before: ".claude/skills/deploy" },
  },
  "skills/instructions-added": {
    level: "error",
    summary: "An instruction file is not in the lock.",
    help: ACCEPT,
    why: "Agents read it before they work, and no one has reviewed it.",
    example: { text: "A change adds instructions for another client.", after: "GEMINI.md" },
  },
  "skills/instructions-changed": {
    level: "error",
    summary: "A SKILL.md or an instruction file changed.",
    help: ACCEPT,
    why: "Agents follow this text as if the user had written it.",
    example: {
      text: "One sentence was added to AGENTS.md.",
      before: "df2a84cd1a3dd4d1a2a0e3a5a4a86dbc8d8f2d9a4b0f64d9f5d3f2a3c9b1e870",
      after: "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
    },
  },
  "skills/instructions-removed": {
    level: "warning",
    summary: "An instruction file in the lock is gone.",
    help: ACCEPT,
    why: "Agents work without the instructions that were reviewed.",
    example: { text: "The instructions were deleted.", before: "AGENTS.md" },
  },
  "skills/script-added": {
    level: "error",
    summary: "A skill has a script that is not in the lock.",
    help: ACCEPT,
    why: "Agents run a skill's scripts with their user's rights.",
    example: { text: "A second script was added to a skill.", after: "scripts/upload.sh" },
  },
  "skills/script-changed": {
    level: "error",
    summary: "A skill's script changed.",
    help: ACCEPT,
    why: "Agents run a skill's scripts with their user's rights, usually without reading them.",
    example: {
      text: "A line was added to a script.",
      before: "df2a84cd1a3dd4d1a2a0e3a5a4a86dbc8d8f2d9a4b0f64d9f5d3f2a3c9b1e870",
      after: "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
    },
  },
  "skills/script-removed": {
    level: "warning",
    summary: "A script of a skill is gone.",
    help: ACCEPT,
    why: "An agent that does not find the script writes its own.",
    example: { text: "A script was deleted.", before: "scripts/upload.sh" },
  },
  "skills/files-changed": {
    level: "error",
    summary: "Other files of a skill differ from the lock.",
    help: ACCEPT,
    why: "A SKILL.md refers to other files, which agents read and use.",
    example: {
      text: "A reference file of a skill was edited.",
      before: "df2a84cd1a3dd4d1a2a0e3a5a4a86dbc8d8f2d9a4b0f64d9f5d3f2a3c9b1e870",
      after: "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4",
    },
  },
  "skills/permissions-widened": {
    level: "error",
    summary: "A skill allows tools that it did not allow before.",
    help: ACCEPT,
    why: "Clients call the tools of `allowed-tools` without asking while the skill is in use.",
    example: { text: "A skill may run any command.", before: ["Read"], after: ["Bash", "Read"] },
  },
  "skills/permissions-narrowed": {
    level: "note",
    summary: "A skill no longer allows tools that it allowed before.",
    help: "Nothing to do.",
    why: "Clients ask the user again before they call these tools.",
    example: { text: "A skill may only read.", before: ["Bash", "Read"], after: ["Read"] },
  },
  "skills/permissions-unread": {
    level: "warning",
    summary: "The allowed tools of a skill cannot be read.",
    help: "Make the frontmatter of its SKILL.md valid YAML without merge keys, tags and aliases, with `allowed-tools` as a string or a list of strings.",
    why: "Clients read broken or unusual frontmatter differently, so the allowed tools depend on the client.",
    example: { text: "A description has a colon but no quotes.", before: ["Read"] },
  },
});
