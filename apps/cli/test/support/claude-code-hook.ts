import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { outputOf } from "@agentprint/testing/programs";

/** The plugin's folder. */
const PLUGIN = fileURLToPath(new URL("../../../../integrations/claude-code/", import.meta.url));

/** Starts the hook in a project's folder, as Claude Code does, and returns its decision on a call. */
export function askHook(project: string, tool: string, env: Readonly<Record<string, string>>): string {
  const output = runHook(project, "PreToolUse", tool, { tool_name: tool, tool_input: {} }, env);
  if (output === undefined) return "not asked";
  if (output === "") return "nothing";
  const { hookSpecificOutput } = JSON.parse(output);
  const { hookEventName, permissionDecision, permissionDecisionReason } = hookSpecificOutput;
  if (hookEventName !== "PreToolUse") throw new Error(output);
  return `${permissionDecision}: ${permissionDecisionReason}`;
}

/** Starts a Claude Code session in a project's folder. */
export function startSession(project: string, env: Readonly<Record<string, string>>): void {
  const output = runHook(project, "SessionStart", "startup", { source: "startup" }, env);
  if (output !== "") throw new Error(output);
}

/** Returns the output of an event's hook, or `undefined` if no hook matches the subject. */
function runHook(
  project: string,
  event: "PreToolUse" | "SessionStart",
  subject: string,
  more: object,
  env: Readonly<Record<string, string>>,
): string | undefined {
  const { hooks } = JSON.parse(readFileSync(`${PLUGIN}hooks/hooks.json`, "utf8"));
  const [{ matcher = ".*", hooks: commands }] = hooks[event];
  if (!new RegExp(`^(?:${matcher})$`).test(subject)) return undefined;
  return outputOf("/bin/sh", ["-c", commands[0].command], {
    input: JSON.stringify({ session_id: "s", hook_event_name: event, cwd: project, ...more }),
    env: { ...process.env, CLAUDE_PLUGIN_ROOT: PLUGIN, CLAUDE_PROJECT_DIR: project, ...env },
  });
}
