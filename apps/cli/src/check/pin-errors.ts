import type { PinOptions } from "../options/pin-options.ts";
import { CliError } from "../run/errors.ts";

/** Returns the error for a command line that names no server to pin. */
export function nothingToPin({ mcpConfig, name }: PinOptions, found: readonly string[]): CliError {
  const config = mcpConfig.join(", ");
  if (mcpConfig.length === 0) {
    return new CliError("usage", "there is no server to pin", {
      expected: "a command after --, --url <url>, --mcp-config <file>, or --registry <name>",
      fix: "agentprint pin -- npx -y @modelcontextprotocol/server-filesystem .",
    });
  }
  return new CliError("usage", name === undefined ? `${config} has no servers` : `${config} has no server ${name}`, {
    expected: name === undefined ? "at least one server" : `one of ${found.join(", ") || "no server"}`,
    fix:
      name === undefined
        ? "give a file with a server under mcpServers or servers"
        : "give one of these names with --name",
  });
}

/** Returns the error for servers that are pinned in a different state. */
export function alreadyPinned(names: readonly string[], { keepGoing, lock }: PinOptions, line: string): CliError {
  const unchanged = keepGoing ? `${lock} keeps it` : `${lock} is unchanged`;
  return new CliError("already-pinned", `the lock pins another state of ${names.join(", ")}; ${unchanged}`, {
    fix: `see what changed and accept the new state with ${line} (or pin --replace)`,
  });
}
