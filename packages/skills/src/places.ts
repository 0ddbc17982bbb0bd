import { deepFreeze } from "@agentprint/canonical-json/json-value";

/** A place in a project that agents read, and the documentation that says so. */
export interface ReadPlace {
  /** The path from the folder of the project, with `/` between folders. */
  readonly path: string;
  readonly source: string;
}

/** The folders of Agent Skills in a project. */
export const SKILL_FOLDERS: readonly ReadPlace[] = /* @__PURE__ */ deepFreeze([
  { path: ".agents/skills", source: "https://developers.openai.com/codex/skills" },
  { path: ".claude/skills", source: "https://code.claude.com/docs/en/skills" },
  { path: ".codex/skills", source: "https://cursor.com/docs/context/skills" },
  { path: ".cursor/skills", source: "https://cursor.com/docs/context/skills" },
  { path: ".factory/skills", source: "https://docs.factory.ai/cli/configuration/skills" },
  { path: ".gemini/skills", source: "https://geminicli.com/docs/cli/skills" },
  { path: ".github/skills", source: "https://docs.github.com/en/copilot/concepts/agents/about-agent-skills" },
  { path: ".goose/skills", source: "https://block.github.io/goose/docs/guides/context-engineering/using-skills" },
  { path: ".opencode/skills", source: "https://opencode.ai/docs/skills" },
  { path: ".windsurf/skills", source: "https://docs.windsurf.com/windsurf/cascade/skills" },
]);

/** The files of a project that agents read before they work; those of Factory say which commands it runs on its own. */
export const INSTRUCTION_FILES: readonly ReadPlace[] = /* @__PURE__ */ deepFreeze([
  { path: ".claude/CLAUDE.md", source: "https://code.claude.com/docs/en/memory" },
  { path: ".factory/hooks.json", source: "https://docs.factory.ai/reference/hooks-reference" },
  { path: ".factory/settings.json", source: "https://docs.factory.ai/cli/configuration/settings" },
  {
    path: ".github/copilot-instructions.md",
    source:
      "https://docs.github.com/en/copilot/customizing-copilot/adding-repository-custom-instructions-for-github-copilot",
  },
  { path: "AGENTS.md", source: "https://agents.md" },
  { path: "CLAUDE.md", source: "https://code.claude.com/docs/en/memory" },
  { path: "GEMINI.md", source: "https://geminicli.com/docs/cli/gemini-md" },
]);

/** The project folders whose files agents read as instructions: their own rules, commands and agents. */
export const INSTRUCTION_FOLDERS: readonly ReadPlace[] = /* @__PURE__ */ deepFreeze([
  { path: ".claude/agents", source: "https://code.claude.com/docs/en/sub-agents" },
  { path: ".claude/commands", source: "https://code.claude.com/docs/en/slash-commands" },
  { path: ".cursor/rules", source: "https://cursor.com/docs/context/rules" },
  { path: ".factory/commands", source: "https://docs.factory.ai/cli/configuration/custom-slash-commands" },
  { path: ".factory/droids", source: "https://docs.factory.ai/cli/configuration/custom-droids" },
  { path: ".factory/hooks", source: "https://docs.factory.ai/reference/hooks-reference" },
  {
    path: ".github/instructions",
    source:
      "https://docs.github.com/en/copilot/customizing-copilot/adding-repository-custom-instructions-for-github-copilot",
  },
]);

/** The names of files that agents read in every folder of a project that they work in. */
export const NESTED_FILES: readonly ReadPlace[] = /* @__PURE__ */ deepFreeze([
  { path: "AGENTS.md", source: "https://agents.md" },
  { path: "CLAUDE.md", source: "https://code.claude.com/docs/en/memory" },
  { path: "GEMINI.md", source: "https://geminicli.com/docs/cli/gemini-md" },
]);

/** The folders of instructions that agents read in every folder of a project. */
export const NESTED_FOLDERS: readonly ReadPlace[] = /* @__PURE__ */ deepFreeze([
  { path: ".cursor/rules", source: "https://cursor.com/docs/context/rules" },
]);
