import { access } from "node:fs/promises";
import { escapeText } from "@agentprint/report";
import type { Command } from "commander";
import { CliError } from "../errors.ts";
import { formatJson } from "../json/format-json.ts";
import { replaceFile } from "../replace-file.ts";
import { addExamples } from "../terminal/examples.ts";

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

export function registerManifestInit(manifest: Command): void {
  const command = manifest
    .command("init")
    .description("Write a small valid manifest to start from; an existing file is never overwritten")
    .argument("[file]", "where to write it", "manifest.json")
    .action(async (file: string) => {
      await writeNewManifest(file, TEMPLATE);
      process.stdout.write(`${escapeText(`wrote ${file}; check it with agentprint manifest validate ${file}`)}\n`);
    });
  addExamples(command, [["agentprint manifest init", "manifest.json with one tool and one scope"]]);
}

/** @throws {CliError} `usage` when the file exists */
export async function writeNewManifest(file: string, manifest: object): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) {
    throw new CliError("usage", `${file} exists and is not overwritten`, { fix: "name another file, or remove it" });
  }
  await replaceFile(file, formatJson(manifest, 2));
}
