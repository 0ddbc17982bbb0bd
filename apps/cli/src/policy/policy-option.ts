import { type Command, Option } from "commander";

/** Adds the option that names the configuration of agentprint. */
export function addPolicyOption(command: Command): Command {
  return command.option(
    "--config <file>",
    "the configuration of agentprint, which holds the policy; by default agentprint.config.json, if it exists",
  );
}

/** Adds the option that earlier versions had for a client's configuration, to a command that reads no policy. */
export function addOldConfigOption(command: Command): Command {
  return command.addOption(new Option("--config <file>", "the old name of --mcp-config").hideHelp());
}
