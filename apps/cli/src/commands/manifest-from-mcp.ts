import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-code.ts";
import { formatJson } from "../json/format-json.ts";
import { commandAfterDashes, givenStarts } from "../launch/choose-starts.ts";
import { passOn } from "../launch/pass-on.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { manifestFromServer } from "../manifest/manifest-from-server.ts";
import { addExamples } from "../terminal/examples.ts";
import { visit } from "../visit/visit-all.ts";
import { planPin } from "../visit/visit-plan.ts";
import { addVisitOptions, type VisitOptions } from "../visit-options.ts";
import { writeNewManifest } from "./manifest-init.ts";

export function registerManifestFromMcp(manifest: Command): void {
  const command = manifest
    .command("from-mcp")
    .description("Make a manifest of the tools of a live MCP server, and list what cannot be carried over")
    .usage("[options] -- command...")
    .argument("[command...]", "after --: the command that starts the server, with its arguments")
    .option("-o, --output <file>", "write the manifest to a new file instead of standard output")
    .action(async (_operands: string[], options: VisitOptions & { readonly output?: string }) => {
      const [start, ...others] = passOn(await givenStarts(options, commandAfterDashes(command), undefined), options);
      if (!start || others.length > 0) {
        throw new CliError("usage", "a manifest is made from one server", {
          expected: "a command after --, --url <url>, or a --config <file> with one server",
        });
      }
      const answers = await visit(start, planPin({ ...options, views: "client" }), options);
      const { manifest: made, notes } = manifestFromServer(lockVisited(start.name, answers));
      if (options.output === undefined) process.stdout.write(formatJson(made, 2));
      else await writeNewManifest(options.output, made);
      for (const { subject, note } of notes) process.stderr.write(`${escapeText(subject)}: ${escapeText(note)}\n`);
      process.exitCode = notes.length === 0 ? EXIT.fine : EXIT.difference;
    });
  addVisitOptions(command);
  addExamples(command, [
    ["agentprint manifest from-mcp -- npx -y @modelcontextprotocol/server-memory@2026.7.4", "to standard output"],
    ["agentprint manifest from-mcp --url https://mcp.example.com/mcp -o manifest.json", "to a new file"],
  ]);
}
