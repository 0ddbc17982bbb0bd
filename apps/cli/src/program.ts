import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { registerApprove } from "./commands/approve.ts";
import { registerCanonicalize } from "./commands/canonicalize.ts";
import { registerCapabilities } from "./commands/capabilities.ts";
import { registerCheck } from "./commands/check.ts";
import { registerCompletion } from "./commands/completion.ts";
import { registerExplain } from "./commands/explain.ts";
import { registerHash } from "./commands/hash.ts";
import { registerManifest } from "./commands/manifest.ts";
import { registerPin } from "./commands/pin.ts";
import { registerRules } from "./commands/rules.ts";
import { registerSpec } from "./commands/spec.ts";
import { registerText } from "./commands/text.ts";
import { registerTrail } from "./commands/trail.ts";
import { registerVectors } from "./commands/vectors.ts";
import { hasColor } from "./terminal/color.ts";
import { escapeLines } from "./terminal/escape.ts";
import { addExamples } from "./terminal/examples.ts";

/** The whole command line. A new command is one file in `commands/`, which loads what is heavy when it runs, and one line here. */
export function createProgram(): Command {
  const program = new Command("agentprint")
    .description(packageJson.description)
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .option("--no-color", "no colour, as NO_COLOR does (FORCE_COLOR forces it)")
    .enablePositionalOptions()
    .showHelpAfterError("(add --help for the options and examples)")
    .exitOverride()
    .configureOutput({
      getOutHasColors: () => hasColor(process.stdout),
      getErrHasColors: () => hasColor(process.stderr),
      // Usage messages quote the command line, which may hold anything.
      writeErr: (text) => process.stderr.write(escapeLines(text)),
    });
  addExamples(program, [
    ["agentprint pin -- npx -y @modelcontextprotocol/server-filesystem@2026.7.4 .", "lock what a server offers"],
    ["agentprint check", "see every change since, exit 1 if there is one"],
    ["agentprint approve server-filesystem", "review the change and take it"],
    ["agentprint hash manifest.json", "the digest of a JSON file"],
  ]);
  program.addHelpText("after", "\nExit codes: 0 fine, 1 a difference was found, 2 could not tell.");

  registerPin(program);
  registerCheck(program);
  registerApprove(program);
  registerManifest(program);
  registerRules(program);
  registerExplain(program);
  registerCanonicalize(program);
  registerHash(program);
  registerText(program);
  registerSpec(program);
  registerCapabilities(program);
  registerTrail(program);
  registerVectors(program);

  // Last: completion reads the commands registered above.
  registerCompletion(program);
  return program;
}
