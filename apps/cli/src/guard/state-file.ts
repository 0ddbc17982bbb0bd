import { createHash } from "node:crypto";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, parseJson } from "@agentprint/canonical-json";
import type { Finding } from "@agentprint/findings";
import type { DriftReport, LockFile } from "@agentprint/mcp-lock";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import { decide, type GuardDecision, type Policy } from "@agentprint/policy/apply";
import { makeFolder } from "@agentprint/recorder/folder";
import { formatJson } from "../files/format-json.ts";
import { readRegularFile } from "../files/read-input.ts";
import { stateFolder } from "../files/state-folder.ts";
import { updateFile } from "../files/update-file.ts";
import { lockPathOf } from "../lock/lock-path.ts";
import type { Context } from "../run/context.ts";
import { CliError, isMissing } from "../run/errors.ts";

/** The decision about a tool when it was last verified. */
export type ToolState = GuardDecision;

/** The state of a server when it was last verified. */
export interface ServerState {
  /**
   * A check saw the definitions that a client sees; a guard shows the client the locked definitions of frozen
   * tools.
   */
  readonly by: "check" | "guard";
  /** The digest of the entry in the lock with which the server was compared. */
  readonly digest: string;
  /** The time in UTC, in ISO 8601 format. */
  readonly verifiedAt: string;
  readonly tools: Readonly<Record<string, ToolState>>;
  /** Whether the server could not be read, so that only earlier findings about its tools are known. */
  readonly couldNotTell?: true;
}

/** The state of a server in its file. */
interface StateFile extends ServerState {
  readonly stateVersion: 2;
  /** The absolute path of the lock. */
  readonly lock: string;
  /** SHA-256 of the lock file. */
  readonly lockDigest: string;
  readonly server: string;
}

/** The maximum size of one server's state, in bytes. */
const MAX_STATE_BYTES = 4 * 1024 * 1024;

const TOOL_STATES: ReadonlySet<unknown> = new Set<ToolState>(["pass", "freeze", "ask", "block"]);

/**
 * Returns the folder with the states of a lock's servers: in the user's state folder, named by the digest of the lock's
 * path. The hook of the Claude Code plugin follows the same rule.
 */
async function statesFolder(
  context: Pick<Context, "env" | "pathOf">,
  lock: string,
): Promise<[folder: string, lock: string]> {
  const path = await lockPathOf(context, lock);
  return [join(stateFolder(context), "servers", sha256(path)), path];
}

/** Returns the path of the file with the state of one server of a lock. */
export async function stateFileOf(
  context: Pick<Context, "env" | "pathOf">,
  lock: string,
  server: string,
): Promise<string> {
  const [folder] = await statesFolder(context, lock);
  return join(folder, `${sha256(server)}.json`);
}

/** Returns whether a client's hook has asked for the states of a lock's servers. */
export async function isHookSetUp(context: Pick<Context, "env" | "pathOf">, lock: string): Promise<boolean> {
  const [folder] = await statesFolder(context, lock);
  return access(join(folder, "hook")).then(
    () => true,
    () => false,
  );
}

/** Reads the state file of a lock's server; returns `undefined` if it is missing, invalid or for another lock. */
export async function readState(context: Context, lock: string, server: string): Promise<ServerState | undefined> {
  const [folder, path] = await statesFolder(context, lock);
  const state = await readStateFile(context, join(folder, `${sha256(server)}.json`));
  return state?.lock === path && state.server === server ? state : undefined;
}

async function readStateFile(context: Context, file: string): Promise<StateFile | undefined> {
  const bytes = await readRegularFile(context, file, MAX_STATE_BYTES).catch((error: unknown) => {
    if (error instanceof CliError && isMissing(error.cause)) return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  try {
    const state: unknown = parseJson(bytes);
    return isState(state) ? state : undefined;
  } catch {
    // The file holds no state; the next check writes one.
    return undefined;
  }
}

/** Validates a state by hand, because loading the schema library would take longer than starting a small server. */
function isState(value: unknown): value is StateFile {
  return (
    isJsonObject(value) &&
    value["stateVersion"] === 2 &&
    (value["by"] === "check" || value["by"] === "guard") &&
    ["lock", "lockDigest", "server", "digest", "verifiedAt"].every((name) => isText(value[name])) &&
    isJsonObject(value["tools"]) &&
    Object.values(value["tools"]).every((tool) => TOOL_STATES.has(tool))
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns the state of a server that could not be read, so that a hook asks about each of its tools. */
export function unreadState({ digest, tools }: LockedServer, since: Date): ServerState {
  const names = tools.map(({ definition }) => definition["name"]).filter(isText);
  const asked = Object.fromEntries(names.map((name): [string, ToolState] => [name, "ask"]));
  return { by: "check", digest, verifiedAt: since.toISOString(), tools: asked, couldNotTell: true };
}

/**
 * Adds the earlier differences from the same entry to the state of an unreadable server, so that a failure hides no
 * difference.
 */
function withFound(state: ServerState, before: ServerState | undefined): ServerState {
  if (!state.couldNotTell || before?.digest !== state.digest) return state;
  const isFound = (found: ToolState) => found === "block" || (found === "freeze" && before.by === "check");
  const found = Object.entries(before.tools).filter(([, each]) => isFound(each));
  return { ...state, tools: { ...state.tools, ...Object.fromEntries(found) } };
}

/**
 * Writes the states of servers, one file each, one writer at a time. The state that was verified later stays; the state
 * of an unreadable server replaces a good state, but not a difference.
 *
 * @throws {@link CliError} `too-large` or `unwritable-output` when a state cannot be written
 */
export async function writeStates(
  context: Context,
  lock: string,
  lockText: Uint8Array,
  servers: Readonly<Record<string, ServerState>>,
): Promise<void> {
  const [folder, path] = await statesFolder(context, lock);
  const lockDigest = sha256(lockText);
  await makeFolder(folder, 0o700);
  for (const [server, state] of Object.entries(servers)) {
    const file = join(folder, `${sha256(server)}.json`);
    await updateFile(context, file, async () => {
      const before = await readStateFile(context, file).catch(() => undefined);
      if (before?.lockDigest === lockDigest && isLater(before, state)) return undefined;
      const text = formatJson({ stateVersion: 2, lock: path, lockDigest, server, ...withFound(state, before) });
      if (Buffer.byteLength(text) > MAX_STATE_BYTES) throw tooLarge(server, file);
      return text;
    });
  }
}

function tooLarge(server: string, file: string): CliError {
  return new CliError("too-large", `${server} has too many tools to keep their states`, {
    where: file,
    expected: `at most ${MAX_STATE_BYTES} bytes`,
  });
}

/** Returns whether a state was verified after another one. A time in the future comes from a clock that was set back since. */
function isLater(one: ServerState, other: ServerState): boolean {
  const time = Date.parse(one.verifiedAt);
  return time > Date.parse(other.verifiedAt) && time <= Date.now();
}

function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

const WORST: readonly GuardDecision[] = ["pass", "freeze", "ask", "block"];

/**
 * Returns the state of each server that a check visited. If the check could not read a server, the server's state says
 * so. A tool gets the strictest policy decision on the findings of the tool or of its server.
 *
 * @param since When the check began; the server may have changed its definitions later
 */
export function statesOfCheck(
  { servers }: DriftReport,
  findings: readonly Finding[],
  lock: LockFile,
  policy: Policy,
  since: Date,
): Readonly<Record<string, ServerState>> {
  const states = servers.flatMap(({ server, failure, checked }) => {
    const entry = lock.servers.find(({ name }) => name === server);
    if (entry === undefined) return [];
    if (failure !== undefined) return [[server, unreadState(entry, since)] as const];
    const own = findings.filter(({ place, isRemark }) => place.server === server && isRemark !== true);
    const isWhole = ({ place }: Finding) => place.tool === undefined && place.subject === server;
    const isAbout = (finding: Finding, tool: string) =>
      isWhole(finding) ? toolsOf(finding)?.includes(tool) !== false : finding.place.tool === tool;
    const tools = checked.tool.map((tool): [string, ToolState] => {
      const about = own.filter((finding) => isAbout(finding, tool));
      const decisions = about.map((finding) => WORST.indexOf(decide(finding, policy).guard));
      return [tool, WORST[Math.max(0, ...decisions)] ?? "block"];
    });
    const verifiedAt = since.toISOString();
    return [[server, { by: "check", digest: entry.digest, verifiedAt, tools: Object.fromEntries(tools) }] as const];
  });
  return Object.fromEntries(states);
}

/** Returns the tools that a finding on the schemas of a server lists; `undefined` for a finding about all of them. */
function toolsOf({ rule, after }: Finding): readonly unknown[] | undefined {
  const isOfSchemas = rule === "mcp/tool-contract-changed" || rule === "mcp/contract-unproven";
  return isOfSchemas && Array.isArray(after) ? after : undefined;
}
