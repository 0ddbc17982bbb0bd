import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isJsonObject } from "@agentprint/canonical-json";
import type { GuardDecision } from "@agentprint/policy/apply";
import type { Context } from "../context.ts";
import { CliError, isMissing } from "../errors.ts";
import { formatJson } from "../json/format-json.ts";
import { readRegularFile } from "../json/read-input.ts";
import type { ReadLock } from "../lock/read-lock.ts";
import { withWriterMutex } from "../lock/writer-mutex.ts";
import { followLinks, replaceFile } from "../replace-file.ts";

/** What was decided about a tool when it was verified last. */
export type ToolState = GuardDecision;

/** What is known of a server since it was verified last. */
export interface ServerState {
  /** A check saw the definitions that a client is shown; a guard gives the client the locked ones of frozen tools. */
  readonly by: "check" | "guard";
  /** The digest of the entry in the lock that the server was compared with. */
  readonly digest: string;
  /** As ISO 8601 has it, in UTC. */
  readonly verifiedAt: string;
  readonly tools: Readonly<Record<string, ToolState>>;
}

/** What the last check and the guards say of the servers of one lock. */
export interface GuardState {
  readonly stateVersion: 1;
  /** The absolute path of the lock. */
  readonly lock: string;
  /** SHA-256 of the lock file. */
  readonly lockDigest: string;
  /** The names of all servers in the lock. */
  readonly locked: readonly string[];
  readonly servers: Readonly<Record<string, ServerState>>;
}

/** In bytes. */
const MAX_STATE_BYTES = 4 * 1024 * 1024;
/** How often a writer asks whether another one has finished: what was not kept is kept after the next check or listing. */
const ATTEMPTS = 10;

const TOOL_STATES: ReadonlySet<unknown> = new Set<ToolState>(["pass", "freeze", "ask", "block"]);

/**
 * Where the state of the servers of a lock is kept: in the folder for states of the user, by the digest of the lock's path. The hook
 * of the plugin for Claude Code has the same rule.
 */
export async function stateFileOf(context: Pick<Context, "env" | "pathOf">, lock: string): Promise<string> {
  const path = await lockPath(context, lock);
  return join(stateFolder(context), "servers", `${createHash("sha256").update(path).digest("hex")}.json`);
}

/** The folder in which the user's programs keep what they remember between their runs. */
export function stateFolder({ env }: Pick<Context, "env">): string {
  const home = env["HOME"] || env["USERPROFILE"] || homedir();
  return join(env["XDG_STATE_HOME"] || join(home, ".local", "state"), "agentprint");
}

async function lockPath({ pathOf }: Pick<Context, "pathOf">, lock: string): Promise<string> {
  return followLinks(resolve(pathOf(lock)));
}

/** The state of the servers of a lock; `undefined` where there is none, or it cannot be read. */
export async function readState(context: Context, lock: string): Promise<GuardState | undefined> {
  const bytes = await readRegularFile(context, await stateFileOf(context, lock), MAX_STATE_BYTES).catch(
    (error: unknown) => {
      if (error instanceof CliError && isMissing(error.cause)) return undefined;
      throw error;
    },
  );
  if (bytes === undefined) return undefined;
  try {
    const state: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isState(state) ? state : undefined;
  } catch {
    // Whoever wrote it wrote no state: it is made again by the next check.
    return undefined;
  }
}

/** Each check asks this: a schema of a library would take longer to load than a small server to start. */
function isState(value: unknown): value is GuardState {
  return (
    isJsonObject(value) &&
    value["stateVersion"] === 1 &&
    isText(value["lock"]) &&
    isText(value["lockDigest"]) &&
    Array.isArray(value["locked"]) &&
    value["locked"].every(isText) &&
    isJsonObject(value["servers"]) &&
    Object.values(value["servers"]).every(isServerState)
  );
}

function isServerState(value: unknown): value is ServerState {
  return (
    isJsonObject(value) &&
    (value["by"] === "check" || value["by"] === "guard") &&
    isText(value["digest"]) &&
    isText(value["verifiedAt"]) &&
    isJsonObject(value["tools"]) &&
    Object.values(value["tools"]).every((tool) => TOOL_STATES.has(tool))
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * Writes what is known of some servers; what is known of the others stays, where it is about the same lock.
 *
 * @throws {@link CliError} `lock-busy`, `too-large` or `unwritable-output` when it cannot be written
 */
export async function writeState(
  context: Context,
  lock: string,
  { lock: { servers: entries }, text: lockText }: ReadLock,
  servers: GuardState["servers"],
): Promise<void> {
  const file = await stateFileOf(context, lock);
  const path = await lockPath(context, lock);
  const lockDigest = createHash("sha256").update(lockText).digest("hex");
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const write = async (): Promise<void> => {
    const before = await readState(context, lock);
    const others = before?.lockDigest === lockDigest ? before.servers : {};
    const locked = entries.map(({ name }) => name);
    const text = formatJson({ stateVersion: 1, lock: path, lockDigest, locked, servers: { ...others, ...servers } });
    if (Buffer.byteLength(text) > MAX_STATE_BYTES) {
      throw new CliError("too-large", `there are too many tools to keep what is known of them`, {
        where: file,
        expected: `at most ${MAX_STATE_BYTES} bytes`,
      });
    }
    await replaceFile(context, file, text);
  };
  await withWriterMutex(file, file, write, ATTEMPTS);
}
