import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the plugin. */
const PLUGIN = fileURLToPath(new URL("../../../../plugins/claude-code/", import.meta.url));

/** What the hook says to a call, as Claude Code starts it in the folder of a project and hands the call over. */
export function askHook(project: string, tool: string, env: Readonly<Record<string, string>>): string {
  const { hooks } = JSON.parse(readFileSync(`${PLUGIN}hooks/hooks.json`, "utf8"));
  const [{ matcher, hooks: commands }] = hooks.PreToolUse;
  if (!new RegExp(`^(?:${matcher})$`).test(tool)) return "not asked";
  const input = { session_id: "s", hook_event_name: "PreToolUse", tool_name: tool, tool_input: {}, cwd: project };
  const output = execFileSync("/bin/sh", ["-c", commands[0].command], {
    input: JSON.stringify(input),
    encoding: "utf8",
    env: { ...process.env, CLAUDE_PLUGIN_ROOT: PLUGIN, CLAUDE_PROJECT_DIR: project, ...env },
  });
  if (output === "") return "nothing";
  const { hookSpecificOutput } = JSON.parse(output);
  const { hookEventName, permissionDecision, permissionDecisionReason } = hookSpecificOutput;
  if (hookEventName !== "PreToolUse") throw new Error(output);
  return `${permissionDecision}: ${permissionDecisionReason}`;
}
