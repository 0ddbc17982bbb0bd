import type { Command } from "commander";

/** Adds the option that names the configuration of agentprint. */
export function addPolicyOption(command: Command): Command {
  return command.option(
    "--config <file>",
    "the configuration of agentprint, which holds the policy; by default agentprint.config.json, if it exists",
  );
}
