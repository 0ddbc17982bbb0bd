import { EXIT, type ExitCode } from "@agentprint/findings";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { writeNewManifest } from "../manifest/write-new-manifest.ts";
import type { Context } from "../run/context.ts";
import type { Examples } from "../terminal/examples.ts";

const TEMPLATE = {
  schema_version: "1.0",
  agent_version: "0.1.0",
  tools: [
    {
      name: "read_file",
      description_i18n_key: "agent.tools.read_file.desc",
      input_schema: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
        additionalProperties: false,
      },
      permission_scope: "filesystem:read",
      timeout_ms: 10_000,
    },
  ],
  permission_scopes: [
    { id: "filesystem:read", label_i18n_key: "agent.scopes.filesystem_read.label", sensitivity: "medium" },
  ],
  capability_flags: {
    supports_streaming: false,
    supports_artifacts: true,
    supports_voice: false,
    supports_group_chat: false,
  },
} as const;

export const examples: Examples = [["agentprint manifest init", "manifest.json with one tool and one scope"]];

export function define(command: Command): void {
  command.argument("[file]", "file to write", "manifest.json");
}

export async function run(context: Context, file: string): Promise<ExitCode> {
  await writeNewManifest(context, file, TEMPLATE);
  context.stdout.write(
    `${escapeText(`wrote ${file}; check the manifest with agentprint manifest validate ${file}`)}\n`,
  );
  return EXIT.same;
}
