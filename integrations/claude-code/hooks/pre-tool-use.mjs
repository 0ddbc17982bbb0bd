// Runs before every MCP tool call, so it loads only built-in modules.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

/** In milliseconds. If a state is older, the user is asked. */
const MAX_AGE = 24 * 60 * 60 * 1000;
const CHECK = "Run agentprint check.";
/** From the mildest to the strictest. */
const STRICTNESS = ["pass", "ask", "deny"];
const DECISIONS = new Set(["pass", "freeze", "ask", "block"]);

/** Claude Code keeps only these characters in the names of servers and tools. */
const shown = (name) => name.replace(/[^\w-]/g, "_");

/**
 * Returns `deny` or `ask` with a reason, or `undefined` if nothing objects to the call. Claude Code can give several
 * tools the same name: the strictest verdict on all of them is used.
 */
function judge({ tool_name: name }, place, now) {
  if (typeof name !== "string") return ask("agentprint could not read the call");
  if (!name.startsWith("mcp__")) return undefined;
  const locked = readLock(place.lock);
  if (locked === undefined) return ask(`agentprint has not checked the servers of this project. ${CHECK}`);
  const isMeant = (server) => name.startsWith(`mcp__${shown(server)}__`);
  const servers = locked.names.filter(isMeant);
  const isUnpinned = configuredServers(place).some((server) => isMeant(server) && !locked.names.includes(server));
  if (servers.length === 0 || isUnpinned) {
    return deny("This server is not in agentprint.lock. Pin it with agentprint pin.");
  }
  const verdicts = servers.map((server) => {
    const tool = name.slice(`mcp__${shown(server)}__`.length);
    return judgeTool(server, tool, readState(place, server), locked.digest, now);
  });
  // A server without this tool is ignored if another server has it.
  const meant = verdicts.filter((verdict) => verdict !== "absent");
  if (meant.length === 0) return deny("This tool is not in agentprint.lock.");
  const strictness = (verdict) => STRICTNESS.indexOf(verdict?.permissionDecision ?? "pass");
  return meant.sort((one, other) => strictness(other) - strictness(one))[0];
}

/** Returns the objection to a server's tool; `absent` if a recent check found no such tool on the server. */
function judgeTool(server, tool, state, lockDigest, now) {
  if (state === undefined) return ask(`The server ${shown(server)} was not checked. ${CHECK}`);
  if (state.lockDigest !== lockDigest) return ask(`agentprint.lock changed after the last check. ${CHECK}`);
  const decisions = Object.keys(state.tools).flatMap((each) => (shown(each) === tool ? [state.tools[each]] : []));
  const isDrift = decisions.includes("block") || (state.by !== "guard" && decisions.includes("freeze"));
  if (isDrift) return deny("This tool is not as it was pinned. Review the change with agentprint approve.");
  const age = now - Date.parse(state.verifiedAt);
  if (!(age >= -MAX_AGE && age <= MAX_AGE)) return ask(`The last check is older than a day. ${CHECK}`);
  if (decisions.length === 0) return "absent";
  if (state.couldNotTell) return ask(`The last check could not read the server ${shown(server)}. ${CHECK}`);
  if (decisions.includes("ask")) return ask("The policy requires asking about this tool, because it changed.");
  return decisions.every((decision) => DECISIONS.has(decision)) ? undefined : ask(`A state is unknown. ${CHECK}`);
}

/**
 * Returns a project's folder, and the paths of its lock, of agentprint's findings about its servers and of the user's
 * configuration.
 */
function placeOf({ cwd }, env) {
  const project = resolve(env.CLAUDE_PROJECT_DIR || cwd || ".");
  const home = env.HOME || env.USERPROFILE || homedir();
  const lock = real(resolve(project, env.AGENTPRINT_LOCK || "agentprint.lock"));
  const states = join(env.XDG_STATE_HOME || join(home, ".local", "state"), "agentprint", "servers");
  return {
    project,
    lock,
    folder: join(states, sha256(lock)),
    user: join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"),
  };
}

/** Signals to `agentprint check` that its findings are needed: without a hook, it stores none. */
function setUp({ folder }) {
  const mark = join(folder, "hook");
  if (existsSync(mark)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(mark, "", { mode: 0o600 });
}

function readLock(file) {
  try {
    const bytes = readFileSync(file);
    const names = JSON.parse(bytes).servers.map(({ name }) => name);
    return names.every((name) => typeof name === "string") ? { names, digest: sha256(bytes) } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the names of the servers that Claude Code's configuration files list. */
function configuredServers({ project, user }) {
  const ofProject = readJson(join(project, ".mcp.json"));
  const ofUser = readJson(user);
  return [ofProject, ofUser, ofUser?.projects?.[project]].flatMap((config) => Object.keys(config?.mcpServers ?? {}));
}

function readState({ folder, lock }, server) {
  const state = readJson(join(folder, `${sha256(server)}.json`));
  const isOurs = state?.stateVersion === 2 && state.lock === lock && state.server === server;
  return isOurs && typeof state.tools === "object" && state.tools !== null ? state : undefined;
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Returns a path with all links resolved; it is the same before and after the file is created. */
function real(path) {
  for (const [folder, name] of [
    [path, ""],
    [dirname(path), basename(path)],
  ]) {
    try {
      return join(realpathSync(folder), name);
    } catch {
      // There is no such file, or no such folder.
    }
  }
  return path;
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
  const input = JSON.parse(readFileSync(0, "utf8"));
  const place = placeOf(input, process.env);
  try {
    setUp(place);
  } catch {
    // Without a folder for states, no state is found below, and the user is asked.
  }
  if (input.hook_event_name !== "SessionStart") objection = judge(input, place, Date.now());
} catch {
  objection = ask("agentprint could not read the call");
}
// If nothing objects to the call, Claude Code asks its user as it would without this hook.
if (objection) {
  process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...objection } }));
}
