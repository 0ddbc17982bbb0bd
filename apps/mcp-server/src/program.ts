import { escapeText } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { Command, CommanderError } from "commander";
import { addKeygenCommand } from "./commands/keygen.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addTokenCommands } from "./commands/tokens.ts";
import { loadConfig } from "./config.ts";
import { isKnownError } from "./errors.ts";
import type { Surroundings } from "./surroundings.ts";

/** Creates the server's command line, which takes words and returns an exit code. */
export function createProgram(surroundings: Surroundings): {
  readonly run: (args: readonly string[]) => Promise<ExitCode>;
} {
  const { env, stdout, stderr } = surroundings;
  const program = new Command("agentprint-mcp-server")
    .description("An MCP server that keeps an agent's decision log as a verifiable trail")
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
  const config = () => loadConfig(env);
  addServeCommand(program, surroundings, config);
  addTokenCommands(program, surroundings, config);
  addKeygenCommand(program, config);
  return {
    run: async (args) => {
      try {
        await program.parseAsync(args, { from: "user" });
        return EXIT.same;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.same : EXIT.unknown;
        stderr.write(`agentprint-mcp-server: ${escapeText(isKnownError(error) ? error.message : String(error))}\n`);
        return EXIT.unknown;
      }
    },
  };
}
