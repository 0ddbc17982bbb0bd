import type { Launch } from "@agentprint/mcp-lock";
import { parse as parseEnvFile } from "dotenv";
import type { Client } from "../clients/client.ts";
import { withKnownReferences } from "../clients/client-references.ts";
import { entriesAt, membersWithServers } from "../clients/configured-servers.ts";
import { clientOfFile } from "../clients/locate-files.ts";
import { invalidConfig } from "../clients/parsed-config.ts";
import { readClientConfig } from "../clients/read-client-config.ts";
import { type HttpEntry, readEntry, type StdioEntry } from "../clients/server-entry.ts";
import type { Context } from "../context.ts";
import { readRegularFile } from "../json/read-input.ts";
import { printNotices } from "../terminal/notices.ts";
import { type ServerTarget, withHiddenValues } from "./server-target.ts";
import { expandVariables, findUnknownVariable, qualifyVariables } from "./variables.ts";

const MAX_ENV_FILE_BYTES = 1024 * 1024;

type Values = Record<string, string>;

/**
 * Reads the servers of a client's configuration, in the format and spelling of any client in `docs/clients.md`. Servers
 * that are switched off and those that the client itself brings along are left out.
 *
 * @throws {@link CliError} `invalid-config` when the file does not describe MCP servers. What only one server lacks, such as
 * its `envFile`, is an error when that server is visited.
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 */
export async function readConfig(context: Context, file: string): Promise<ServerTarget[]> {
  const config = await readClientConfig(context, file, "any");
  const [member, ...others] = membersWithServers(config);
  if (member === undefined) throw invalidConfig(file, "no mcpServers and no servers in it");
  if (others.length > 0) {
    printNotices(context, [`${file} has ${member}, and ${others.join(", ")}, too; only ${member} was read`]);
  }
  const references = clientOfFile(file)?.references;
  return entriesAt(config, [member])
    .filter(({ state }) => state === "on")
    .map(({ name, value }) => targetOfEntry(context, name, value, { file, references }));
}

/**
 * The target that an entry of a configuration describes.
 *
 * @throws {@link CliError} `invalid-config` when the entry describes none
 */
export function targetOfEntry(
  context: Context,
  name: string,
  value: unknown,
  { file, references }: { readonly file: string; readonly references?: Client["references"] },
): ServerTarget {
  const where = `${file}, server ${name}`;
  const entry = readEntry(value);
  if (typeof entry === "string") throw invalidConfig(where, entry);
  const known = withKnownReferences(entry, references);
  const target =
    known.type === "stdio" ? stdioTarget(context, name, known, where) : httpTarget(context, name, known, where);
  const guarded = known.guardedAs === undefined ? target : { ...target, guardedAs: known.guardedAs };
  return withHiddenValues(context, guarded);
}

function stdioTarget(
  context: Context,
  name: string,
  { command, args, cwd, env, envFile }: StdioEntry,
  where: string,
): ServerTarget {
  const removed = Object.keys(env).filter((variable) => env[variable] === null);
  const given = Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
  );
  const launch: Launch = {
    type: "stdio",
    command: qualifyVariables(command),
    args: args.map(qualifyVariables),
    ...(cwd !== undefined && { cwd: qualifyVariables(cwd) }),
    env: Object.keys(given),
  };
  return {
    name,
    launch,
    readValues: async () => {
      refuseUnknownVariables([command, ...args, cwd ?? ""], where);
      const fromFile = envFile === undefined ? {} : await readEnvFile(context, envFile, where);
      for (const variable of removed) delete fromFile[variable];
      return { ...fromFile, ...expandAll(context, given, where) };
    },
  };
}

function httpTarget(context: Context, name: string, { url, headers }: HttpEntry, where: string): ServerTarget {
  return {
    name,
    launch: { type: "http", url: qualifyVariables(url), headers: Object.keys(headers) },
    readValues: () => {
      refuseUnknownVariables([url], where);
      return expandAll(context, headers, where);
    },
  };
}

/** The variables of a file of `NAME=value` lines. Variables under `env` override them. */
async function readEnvFile(context: Context, envFile: string, where: string): Promise<Values> {
  const bytes = await readRegularFile(context, expand(context, envFile, where), MAX_ENV_FILE_BYTES);
  return parseEnvFile(Buffer.from(bytes));
}

function expandAll(context: Context, values: Readonly<Values>, where: string): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(context, value, where)]));
}

function expand(context: Context, text: string, where: string): string {
  refuseUnknownVariables([text], where);
  return expandVariables(context, qualifyVariables(text), where);
}

function refuseUnknownVariables(texts: readonly string[], where: string): void {
  const unknown = texts.map(findUnknownVariable).find((reference) => reference !== undefined);
  if (unknown !== undefined) throw invalidConfig(where, `${unknown} cannot be filled in outside of the editor`);
}
