import type { Launch } from "@agentprint/mcp-lock";
import { parse as parseEnvFile } from "dotenv";
import { z } from "zod";
import type { Context } from "../context.ts";
import { readInput } from "../json/read-input.ts";
import { invalidConfig, parseConfigText } from "./config-text.ts";
import { type ServerTarget, withHiddenValues } from "./server-target.ts";
import { expandVariables, findUnknownVariable, qualifyVariables } from "./variables.ts";

const MAX_CONFIG_BYTES = 1024 * 1024;

const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Local = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  cwd: z.string().optional(),
  env: z.record(z.string(), Text.nullable()).default({}),
  envFile: z.string().optional(),
});
const Remote = z
  .object({
    url: z.string().optional(),
    serverUrl: z.string().optional(),
    headers: z.record(z.string(), Text).default({}),
  })
  .transform(({ url, serverUrl, headers }) => ({ url: url ?? serverUrl, headers }))
  .pipe(z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }));

type Values = Record<string, string>;

/**
 * Reads the servers of a Claude Desktop, Claude Code or Cursor file (`mcpServers`) or of a VS Code file (`servers`,
 * with `inputs` and `envFile`); comments and trailing commas are allowed. Servers marked `disabled` are left out.
 *
 * @throws {@link CliError} `invalid-config` when the file does not describe MCP servers. What only one server lacks, such as
 * its `envFile`, is an error when that server is visited.
 * @throws {@link CliError} `unreadable-input`, `too-large` when the file cannot be read
 */
export async function readConfig(context: Context, file: string): Promise<ServerTarget[]> {
  const text = new TextDecoder().decode(await readInput(context, file, MAX_CONFIG_BYTES));
  const servers = serversOf(parseConfigText(text, file));
  if (servers === undefined) throw invalidConfig(file, "no mcpServers and no servers in it");
  const enabled = Object.entries(servers).filter(([, server]) => !isDisabled(server));
  return enabled.map(([name, server]) => withHiddenValues(context, readServer(context, name, server, file)));
}

function serversOf(value: unknown): Record<string, unknown> | undefined {
  const parsed = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(value);
  if (parsed.success) return parsed.data.mcpServers;
  return z.object({ servers: z.record(z.string(), z.unknown()) }).safeParse(value).data?.servers;
}

function isDisabled(server: unknown): boolean {
  return z.object({ disabled: z.literal(true) }).safeParse(server).success;
}

function readServer(context: Context, name: string, server: unknown, file: string): ServerTarget {
  const where = `${file}, server ${name}`;
  const local = Local.safeParse(server);
  if (local.success) return localTarget(context, name, local.data, where);
  const remote = Remote.safeParse(server);
  if (remote.success) return remoteTarget(context, name, remote.data, where);
  const isLocal = typeof server === "object" && server !== null && "command" in server;
  const [issue] = (isLocal ? local.error : remote.error).issues;
  throw invalidConfig(where, `${issue?.path.join(".") || "entry"}: ${issue?.message}`);
}

function localTarget(
  context: Context,
  name: string,
  { command, args, cwd, env, envFile }: z.infer<typeof Local>,
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

function remoteTarget(
  context: Context,
  name: string,
  { url, headers }: z.infer<typeof Remote>,
  where: string,
): ServerTarget {
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
  return parseEnvFile(Buffer.from(await readInput(context, expand(context, envFile, where), MAX_CONFIG_BYTES)));
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
