import { EXIT, type ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { addEnvAndHeaders, commandAfterDashes, targetsFromArguments } from "../clients/targets-from-arguments.ts";
import { formatJson } from "../files/format-json.ts";
import { nameOfLaunch } from "../launch/server-name.ts";
import { lockVisited } from "../lock/lock-visited.ts";
import { manifestFromServer } from "../manifest/manifest-from-server.ts";
import { writeNewManifest } from "../manifest/write-new-manifest.ts";
import {
  addLaunchOptions,
  addSpeakerOptions,
  type LaunchOptions,
  type SpeakerOptions,
  withVisits,
} from "../options/visit-options.ts";
import { readPolicy } from "../policy/read-policy.ts";
import type { Context } from "../run/context.ts";
import { CliError } from "../run/errors.ts";
import type { Examples } from "../terminal/examples.ts";
import { planPin } from "../visit/visit-plan.ts";
import { visitTarget } from "../visit/visit-servers.ts";

interface ManifestFromMcpOptions extends LaunchOptions, SpeakerOptions {
  readonly output?: string;
}

export const examples: Examples = [
  ["agentprint manifest from-mcp -- npx -y @modelcontextprotocol/server-memory@2026.7.4", "to standard output"],
  ["agentprint manifest from-mcp --url https://mcp.example.com/mcp -o manifest.json", "to a new file"],
];

export function define(command: Command): void {
  command
    .usage("[options] -- command...")
    .argument("[command...]", "after --: the command that starts the server, with its arguments")
    .option("-o, --output <file>", "write the manifest to a new file instead of standard output");
  addSpeakerOptions(addLaunchOptions(command));
}

export async function run(
  context: Context,
  _operands: readonly string[],
  options: ManifestFromMcpOptions,
  command: Command,
): Promise<ExitCode> {
  const given = await targetsFromArguments(context, options, commandAfterDashes(command), nameOfLaunch);
  const [target, ...others] = addEnvAndHeaders(context, given, options);
  if (!target || others.length > 0) {
    throw new CliError("usage", "a manifest is made from one server", {
      expected: "a command after --, --url <url>, or an --mcp-config <file> with one server",
    });
  }
  const { settings } = await readPolicy(context, { lock: options.lock });
  const visiting = withVisits(context, options, settings.visits);
  const answers = await visitTarget(context, target, planPin({ ...visiting, views: "client" }), visiting);
  const { manifest, notes } = manifestFromServer(lockVisited(context, target.name, answers));
  if (options.output === undefined) context.stdout.write(formatJson(manifest, 2));
  else await writeNewManifest(context, options.output, manifest);
  for (const { subject, note } of notes) context.stderr.write(`${escapeText(subject)}: ${escapeText(note)}\n`);
  return notes.length === 0 ? EXIT.same : EXIT.drift;
}
