import type { Launch } from "@agentprint/mcp-lock";
import { parse as parseEnvFile } from "dotenv";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { CliError } from "../errors.ts";
import { readInput } from "../json/read-input.ts";
import type { Start } from "./start.ts";
import { expandVariables, qualifyVariables } from "./variables.ts";

const MAX_CONFIG_BYTES = 1024 * 1024;

const Strings = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));
const Local = z.object({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  cwd: z.string().optional(),
  env: Strings.default({}),
  envFile: z.string().optional(),
});
const Remote = z
  .object({ url: z.string().optional(), serverUrl: z.string().optional(), headers: Strings.default({}) })
  .transform(({ url, serverUrl, headers }) => ({ url: url ?? serverUrl, headers }))
  .pipe(z.object({ url: z.string(), headers: z.record(z.string(), z.string()) }));

/**
 * Reads the servers of a Claude Desktop, Claude Code or Cursor file (`mcpServers`) or of a VS Code file (`servers`,
 * with `inputs` and `envFile`); comments and trailing commas are allowed. Servers marked `disabled` are left out.
 */
export async function readConfig(file: string): Promise<Start[]> {
  const text = new TextDecoder().decode(await readInput(file, MAX_CONFIG_BYTES));
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: false });
  const [error] = errors;
  if (error) {
    const { line, column } = positionOf(text, error.offset);
    throw invalid(`${file}:${line}:${column}`, `not JSON with comments: ${printParseErrorCode(error.error)}`);
  }
  const servers = serversOf(value);
  if (servers === undefined) throw invalid(file, "no mcpServers and no servers in it");
  const enabled = Object.entries(servers).filter(([, server]) => !isDisabled(server));
  return Promise.all(enabled.map(([name, server]) => readServer(name, server, file)));
}

function serversOf(value: unknown): Record<string, unknown> | undefined {
  const parsed = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).safeParse(value);
  if (parsed.success) return parsed.data.mcpServers;
  return z.object({ servers: z.record(z.string(), z.unknown()) }).safeParse(value).data?.servers;
}

function isDisabled(server: unknown): boolean {
  return z.object({ disabled: z.literal(true) }).safeParse(server).success;
}

async function readServer(name: string, server: unknown, file: string): Promise<Start> {
  const where = `${file}, server ${name}`;
  const local = Local.safeParse(server);
  if (local.success) {
    const { command, args, cwd, env, envFile } = local.data;
    const fromFile = envFile === undefined ? {} : await readEnvFile(envFile, where);
    const launch: Launch = {
      type: "stdio",
      command: qualifyVariables(command),
      args: args.map(qualifyVariables),
      ...(cwd !== undefined && { cwd: qualifyVariables(cwd) }),
      env: Object.keys({ ...fromFile, ...env }),
    };
    return { name, launch, values: () => ({ ...fromFile, ...expandAll(env, where) }) };
  }
  const remote = Remote.safeParse(server);
  if (remote.success) {
    const { url, headers } = remote.data;
    return {
      name,
      launch: { type: "http", url, headers: Object.keys(headers) },
      values: () => expandAll(headers, where),
    };
  }
  const isLocal = typeof server === "object" && server !== null && "command" in server;
  const [issue] = (isLocal ? local.error : remote.error).issues;
  throw invalid(where, `${issue?.path.join(".") || "entry"}: ${issue?.message}`);
}

/** The variables of a file of `NAME=value` lines, which those under `env` come before. */
async function readEnvFile(envFile: string, where: string): Promise<Record<string, string>> {
  const path = expandVariables(qualifyVariables(envFile), where);
  return parseEnvFile(Buffer.from(await readInput(path, MAX_CONFIG_BYTES)));
}

function expandAll(values: Readonly<Record<string, string>>, where: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, expandVariables(qualifyVariables(value), where)]),
  );
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function invalid(where: string, reason: string): CliError {
  return new CliError("invalid-config", `this is not a configuration of MCP servers: ${reason}`, {
    where,
    expected:
      '{"mcpServers": {"name": {"command": "…", "args": […]}}}, or "servers" as in VS Code, or {"url": "https://…"}',
    fix: "correct the file there",
  });
}
