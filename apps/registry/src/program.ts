import { escapeText } from "@agentprint/canonical-json";
import { EXIT, type ExitCode } from "@agentprint/findings";
import { TrailError } from "@agentprint/trail/chain";
import { TrailStoreError } from "@agentprint/trail-store";
import { Command, CommanderError } from "commander";
import { addBackupCommands } from "./commands/backup.ts";
import { addKeygenCommand } from "./commands/keygen.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addSignerCommands } from "./commands/signer.ts";
import { addVersionCommands } from "./commands/versions.ts";
import { addWebhookCommands } from "./commands/webhooks.ts";
import { loadConfig } from "./config/config.ts";
import { RegistryError } from "./errors.ts";
import type { Output, Surroundings } from "./surroundings.ts";

const EXAMPLES = `
Examples:
  $ agentprint-registry keys issue --every-agent
      a token for those who publish
  $ agentprint-registry serve --checkpoint-to /mnt/elsewhere
      answer requests, and keep checkpoints on another machine
  $ agentprint-registry backup copy.db
      copy the database while it is in use, and check the copy
  $ AGENTPRINT_REGISTRY_DATABASE=file:restored.db agentprint-registry restore copy.db
      create a database from the copy

Exit codes: 0 fine, 2 the command failed.`;

/** Creates the registry's command line, which takes words and returns an exit code. */
export function createProgram(
  env: Readonly<Record<string, string | undefined>>,
  stdout: Output,
  stderr: Output,
): { readonly run: (args: readonly string[]) => Promise<ExitCode> } {
  const program = new Command("agentprint-registry")
    .description("A registry of Capability Manifests")
    .option("--config <file>", "read settings from a JSON file; the environment takes precedence")
    .addHelpText("after", EXAMPLES)
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .exitOverride();
  const config: Surroundings["config"] = (more) =>
    loadConfig(env, program.opts<{ config?: string }>().config ?? env["AGENTPRINT_REGISTRY_CONFIG"], more);
  const surroundings = { stdout, stderr, config };
  addServeCommand(program, surroundings);
  addMigrateCommand(program, surroundings);
  addKeyCommands(program, surroundings);
  addWebhookCommands(program, surroundings);
  addKeygenCommand(program, surroundings);
  addBackupCommands(program, surroundings);
  addVersionCommands(program, surroundings);
  addSignerCommands(program, surroundings);
  return {
    run: async (args) => {
      try {
        await program.parseAsync(args, { from: "user" });
        return EXIT.same;
      } catch (error) {
        if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.same : EXIT.unknown;
        const isKnown =
          error instanceof RegistryError || error instanceof TrailStoreError || error instanceof TrailError;
        stderr.write(`agentprint-registry: ${escapeText(isKnown ? error.message : String(error))}\n`);
        return EXIT.unknown;
      }
    },
  };
}
