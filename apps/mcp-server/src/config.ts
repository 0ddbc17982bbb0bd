import { homedir } from "node:os";
import { join } from "node:path";
import { NORMALIZATION_LEVELS, type NormalizationLevel } from "@agentprint/content-hash";
import { makeFolder } from "@agentprint/recorder/folder";
import * as z from "zod";
import { McpServerError } from "./errors.ts";

/** The prefix of settings in the environment, as in `AGENTPRINT_MCP_PORT`. */
const PREFIX = "AGENTPRINT_MCP_";
const TRAIL_VARIABLE = "AGENTPRINT_TRAIL_URL";

const whole = (minimum: number, maximum = 2 ** 31 - 1) => z.coerce.number().int().min(minimum).max(maximum);
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== ""),
);

const Config = z.strictObject({
  /** `file:<path>` or `postgres://…`; by default `.agentprint/trail.db` in the home folder. */
  trail_url: z
    .string()
    .regex(/^(?:file:.+|postgres(?:ql)?:\/\/.+)$/s, "expected file:<path> or postgres://…")
    .optional(),
  host: z.string().min(1).default("127.0.0.1"),
  port: whole(0, 65_535).default(8788),
  /** Host names by which clients reach the server, in addition to the loopback interface's. */
  allowed_hosts: list.default([]),
  /** Host names of pages that may call the server from a browser, in addition to the loopback interface's. */
  allowed_origins: list.default([]),
  /** The author of thoughts for which the caller names no author; by default the client's name. */
  agent_id: z.string().min(1).max(512).optional(),
  /** The server's name in checkpoints: the origin of a task is `<name>/tasks/<task>`. */
  name: z
    .string()
    .regex(/^[^\s+]+$/, "expected a name without white space or +")
    .default("localhost/agentprint-mcp-server"),
  /** The file with the key that signs checkpoints. For SQLite, a missing file is created next to the database. */
  signer_key_file: z.string().min(1).optional(),
  /** The most UTF-16 units of a thought's content. */
  content_limit: whole(1, 2 ** 20).default(65_536),
  /** The most records that one token may store; callers without a token share one limit. */
  token_record_limit: whole(1).default(1_000_000),
  /** The most UTF-8 bytes of these records' texts. */
  token_byte_limit: whole(1, 2 ** 50).default(2 ** 30),
  /** The most tasks that one token may begin. */
  token_task_limit: whole(1).default(10_000),
  /** The most calls a minute with one token that record, verify or sign. */
  token_minute_limit: whole(1).default(3000),
  /** How `code_hash_normalized` normalizes texts. */
  hash_level: z.enum(NORMALIZATION_LEVELS as readonly [NormalizationLevel]).default("whitespace"),
  /** The most UTF-8 bytes of a text to hash. */
  hash_limit: whole(0, 2 ** 26).default(8 * 1024 * 1024),
  /** The earlier lock that `lock_changes` compares `lock_file` with, such as the main branch's. */
  lock_base_file: z.string().min(1).optional(),
  /** The current lock. */
  lock_file: z.string().min(1).optional(),
  /** The most open sessions with a handshake per token. */
  session_limit: whole(1).default(1000),
  /** The most requests a minute from one address with a missing or wrong token. */
  failure_limit: whole(1).default(20),
  log_level: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
});

/** The server's settings; each has a default. */
export type Config = Omit<z.output<typeof Config>, "trail_url"> & { readonly trail_url: string };

/** The most bytes that an escaped character takes in JSON. */
const MAX_ESCAPED = 6;
/** The bytes of a message in addition to its largest text. */
const MESSAGE_OVERHEAD = 2 ** 20;

/**
 * Returns the most bytes that a message may have: the longest accepted text, with each byte escaped, and its envelope.
 */
export function messageLimit({ hash_limit, content_limit }: Pick<Config, "content_limit" | "hash_limit">): number {
  return Math.max(hash_limit, content_limit) * MAX_ESCAPED + MESSAGE_OVERHEAD;
}

/**
 * Returns the settings given in the environment.
 *
 * @throws {@link McpServerError} `INVALID_CONFIGURATION` naming each setting that is wrong or unknown, but never its
 * value.
 */
export async function loadConfig(env: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const settings = Object.entries(env)
    .filter(([name, value]) => name.startsWith(PREFIX) && value !== undefined && value !== "")
    .map(([name, value]) => [name.slice(PREFIX.length).toLowerCase(), value] as const);
  const trail = env[TRAIL_VARIABLE] ? { trail_url: env[TRAIL_VARIABLE] } : {};
  const parsed = Config.safeParse({ ...Object.fromEntries(settings), ...trail });
  if (parsed.success)
    return { ...parsed.data, trail_url: parsed.data.trail_url ?? (await homeTrail(env["HOME"] ?? homedir())) };
  const problems = parsed.error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `unknown setting ${issue.keys.map((key) => PREFIX + key.toUpperCase()).join(", ")}`
      : `${issue.path[0] === "trail_url" ? TRAIL_VARIABLE : PREFIX + String(issue.path[0]).toUpperCase()}: ${issue.message}`,
  );
  throw new McpServerError("INVALID_CONFIGURATION", problems.join("; "));
}

/**
 * Returns the URL of this user's trail. It is in the home folder because clients start servers in any folder, often in
 * one that is not writable.
 */
async function homeTrail(home: string): Promise<string> {
  const folder = join(home, ".agentprint");
  await makeFolder(folder, 0o700).catch((cause: NodeJS.ErrnoException) => {
    const message = `the trail cannot be stored in ${folder}: ${cause.code}; name another store with ${TRAIL_VARIABLE}`;
    throw new McpServerError("INVALID_CONFIGURATION", message, { cause });
  });
  return `file:${join(folder, "trail.db")}`;
}
