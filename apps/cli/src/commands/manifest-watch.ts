import { count, EXIT, type ExitCode } from "@agentprint/findings";
import type { RegistryEvent, Waiting } from "@agentprint/registry-api";
import { escapeText } from "@agentprint/report";
import { type Command, Option } from "commander";
import { formatJson } from "../files/format-json.ts";
import {
  addRegistryOption,
  agentIds,
  openRegistry,
  type RegistryOptions,
  withRegistry,
} from "../manifest/registry-options.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

interface ManifestWatchOptions extends RegistryOptions {
  readonly since?: string;
  readonly untilBreaking: boolean;
  readonly format: "text" | "json";
}

export const examples: Examples = [
  [
    "agentprint manifest watch weather --registry https://registry.example.com",
    "each new version, until you end it; then exit 1 if one broke something",
  ],
  [
    "agentprint manifest watch weather calendar --registry https://registry.example.com --until-breaking",
    "waits for the first breaking change",
  ],
  [
    "agentprint manifest watch weather --registry https://registry.example.com --format json --since weather=3",
    "JSON lines, from version 4 on",
  ],
];

export function define(command: Command): void {
  command
    .argument("<agent...>", "the agents to watch, at most 50", agentIds)
    .option(
      "--since <id>",
      "continue after the event with this id, as --format json shows it, instead of after the last remembered event",
    )
    .option("--until-breaking", "end with exit code 1 at the first breaking change", false)
    .addOption(
      new Option("--format <format>", "one line for each event, as text or as JSON")
        .choices(["text", "json"])
        .default("text"),
    );
  addRegistryOption(command);
}

export async function run(
  context: Context,
  agents: readonly string[],
  options: ManifestWatchOptions,
): Promise<ExitCode> {
  const { since, untilBreaking, format } = options;
  const enough = new AbortController();
  const signal = AbortSignal.any([enough.signal, ...(context.signal ? [context.signal] : [])]);
  const client = openRegistry({ ...context, signal }, options, { waits: true });
  let code: ExitCode = EXIT.same;
  await withRegistry(options, async () => {
    const onWait = (waiting: Waiting): void => void context.stderr.write(waitText(options.registry, waiting));
    const hearing = { onWait, ...(since !== undefined && { lastEventId: since }) };
    for await (const event of client.hear(agents, hearing)) {
      context.stdout.write(format === "json" ? formatJson(event) : textOf(event));
      if (event.event === "breaking") code = EXIT.drift;
      // The loop continues, because an event is acknowledged when the next one is requested.
      if (event.event === "breaking" && untilBreaking) enough.abort();
    }
  });
  return code;
}

function waitText(registry: string, { waitedMs, reason }: Waiting): string {
  const seconds = Math.round(waitedMs / 1000);
  const text =
    reason === undefined
      ? `${registry} answers again, after ${seconds} s`
      : `waiting for ${registry}, for ${seconds} s so far: ${reason}`;
  return `${escapeText(text)}\n`;
}

function textOf({ event, news }: RegistryEvent): string {
  if (event === "start") {
    return news.versions.map((one) => `${one.agent_id} is at ${versionOf(one)}\n`).join("");
  }
  const name = `${news.agent_id} ${versionOf(news)}`;
  if (event === "reset") return `${name}: versions before it were missed; read the agent again\n`;
  const { breaking_changes, weakens_consent, created_at } = news;
  const consent = weakens_consent ? ", weakens consent" : "";
  const lines = breaking_changes.map(({ message }) => `  ${escapeText(message.en)}\n`);
  return `${created_at} ${name}: ${count(breaking_changes.length, "breaking change")}${consent}\n${lines.join("")}`;
}

function versionOf({ capability_manifest_version }: { readonly capability_manifest_version: number }): string {
  return `version ${capability_manifest_version}`;
}
