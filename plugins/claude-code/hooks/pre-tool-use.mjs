// Runs before each call of a tool of an MCP server, and so loads nothing but what Node has at hand.
import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** In milliseconds: an older state is asked about. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Claude Code writes the names of servers and tools with these characters only. */
const shown = (name) => name.replace(/[^\w-]/g, "_");

/** What speaks against a call: `deny` or `ask` and why; `undefined` where nothing does. */
function judge({ tool_name: name, cwd }, env, now) {
  if (typeof name !== "string") return ask("agentprint could not read what is to be called");
  if (!name.startsWith("mcp__")) return undefined;
  const lock = real(resolve(env.AGENTPRINT_LOCK || join(env.CLAUDE_PROJECT_DIR || cwd || ".", "agentprint.lock")));
  const state = readState(lock, env);
  const check = "Run agentprint check.";
  if (state === undefined) return ask(`agentprint has not checked the servers of this project. ${check}`);
  if (digestOf(lock) !== state.lockDigest) return ask(`agentprint.lock changed after the last check. ${check}`);
  const known = state.locked.filter((server) => name.startsWith(`mcp__${shown(server)}__`));
  // One name can be the beginning of another one: the longest is meant.
  const [server] = known.sort((a, b) => b.length - a.length);
  if (server === undefined) return deny("This server is not in agentprint.lock. Pin it with agentprint pin.");
  if (!Object.hasOwn(state.servers, server)) return ask(`The server ${shown(server)} was not checked. ${check}`);
  const { by, verifiedAt, tools } = state.servers[server];
  const tool = name.slice(`mcp__${shown(server)}__`.length);
  const found = Object.keys(tools).filter((each) => shown(each) === tool);
  if (found.length === 0) return deny("This tool is not in agentprint.lock.");
  const decisions = found.map((each) => tools[each]);
  const isDrift = decisions.includes("block") || (by === "check" && decisions.includes("freeze"));
  if (isDrift) return deny("This tool is not as it was pinned. Review the change with agentprint approve.");
  const age = now - Date.parse(verifiedAt);
  if (!(age >= -MAX_AGE && age <= MAX_AGE)) return ask(`The last check is older than a day. ${check}`);
  return decisions.includes("ask") ? ask("The policy asks about this tool, because it changed.") : undefined;
}

/** The state file has its name by the path of the lock, as agentprint writes it. */
function readState(lock, env) {
  const home = env.HOME || env.USERPROFILE || homedir();
  const folder = join(env.XDG_STATE_HOME || join(home, ".local", "state"), "agentprint", "servers");
  try {
    const state = JSON.parse(readFileSync(join(folder, `${sha256(lock)}.json`), "utf8"));
    return state?.stateVersion === 1 && state.lock === lock ? state : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(file) {
  try {
    return sha256(readFileSync(file));
  } catch {
    return undefined;
  }
}

function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function sha256(data) {
  return createHash("sha256").update(data).digest("hex");
}

function deny(reason) {
  return { permissionDecision: "deny", permissionDecisionReason: reason };
}

function ask(reason) {
  return { permissionDecision: "ask", permissionDecisionReason: reason };
}

let objection;
try {
  objection = judge(JSON.parse(readFileSync(0, "utf8")), process.env, Date.now());
} catch {
  objection = ask("agentprint could not read what is to be called");
}
// Where nothing speaks against the call, Claude Code asks its user as without this hook.
if (objection) {
  process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...objection } }));
}
