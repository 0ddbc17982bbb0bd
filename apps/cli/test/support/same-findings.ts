import { copyFileSync, readFileSync } from "node:fs";
import { createGuard } from "@agentprint/guard";
import {
  type DriftFinding,
  diffLocks,
  driftFindings,
  type LockFile,
  offeredByLock,
  parseLock,
} from "@agentprint/mcp-lock";
import { DEFAULT_POLICY } from "@agentprint/policy";
import type { Workspace } from "./workspace.ts";

const JSON_FORMAT = ["--format", "json"];

/** The findings about one server's changes, each as its rule and place, grouped by reporter. */
export interface FindingsByTeller {
  readonly check: readonly string[];
  /** The findings of every other reporter, which should be the same. */
  readonly others: Readonly<Record<"watch" | "approve" | "diff" | "package", readonly string[]>>;
  /** Only the rules about tools, as a listing event names them: the check's and the guard's. */
  readonly ofTools: Readonly<Record<"check" | "guard", readonly string[]>>;
}

/**
 * Returns the findings about a pinned server that has changed, as each command and package reports them. Finally,
 * approves the change.
 *
 * @param server The server's name in `agentprint.lock`; no other server has changed
 */
export async function findingsByTeller(workspace: Workspace, server: string): Promise<FindingsByTeller> {
  const told = async (...words: readonly string[]): Promise<readonly DriftFinding[]> =>
    differences(JSON.parse((await workspace.run([...words, ...JSON_FORMAT])).stdout).findings);
  copyFileSync(workspace.path("agentprint.lock"), workspace.path("old.lock"));
  const checked = await told("check");
  const watched = await told("watch", "--rounds", "1");
  const reviewed = await told("approve", server);
  const approved = await workspace.run(["approve", server, "--yes"]);
  if (approved.code !== 0) throw new Error(approved.stderr);
  const compared = await told("diff", "old.lock", "agentprint.lock");
  const [before, after] = ["old.lock", "agentprint.lock"].map((file) => readLock(workspace.path(file)));
  const ofPackage = differences(driftFindings(diffLocks(before as LockFile, after as LockFile)));
  const ofTools = checked.filter(({ place }) => place.tool !== undefined).map(({ rule }) => rule);
  const ofGuard = rulesOfGuard(before as LockFile, after as LockFile, server);
  return {
    check: named(checked),
    others: { watch: named(watched), approve: named(reviewed), diff: named(compared), package: named(ofPackage) },
    ofTools: { check: distinct(ofTools), guard: distinct(ofGuard) },
  };
}

/** Returns only findings about changes: remarks are not about changes, and two locks have no first version. */
function differences(findings: readonly DriftFinding[]): DriftFinding[] {
  return findings.filter(({ isRemark }) => isRemark !== true);
}

function named(findings: readonly DriftFinding[]): string[] {
  return findings.map(({ rule, place: { subject, pointer } }) => `${rule} ${subject} ${pointer ?? ""}`).sort();
}

function distinct(rules: readonly string[]): string[] {
  return [...new Set(rules)].sort();
}

function readLock(file: string): LockFile {
  const lock = parseLock(readFileSync(file, "utf8"));
  if (!lock) throw new Error(`${file}: expected a lock`);
  return lock;
}

/** Shows the later lock's tools to a guard of the earlier lock, and returns the rules of its findings. */
function rulesOfGuard(before: LockFile, after: LockFile, server: string): readonly string[] {
  const entry = after.servers.find(({ name }) => name === server);
  if (!entry) throw new Error(`the lock has no ${server}`);
  const rules: string[] = [];
  const guard = createGuard({
    lock: before,
    server,
    policy: DEFAULT_POLICY,
    onEvent: ({ kind, findings }) => void (kind === "listing" && rules.push(...findings)),
  });
  const protocolVersion = "2025-11-25";
  const clientInfo = { name: entry.client, version: "1" };
  const params = { protocolVersion, capabilities: entry.clientCapabilities, clientInfo };
  const serverInfo = { name: server, version: "1" };
  const tools = offeredByLock(entry, "legacy").tools.map(({ definition }) => definition);
  guard.fromClient({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  guard.fromServer({ jsonrpc: "2.0", id: 0, result: { protocolVersion, capabilities: { tools: {} }, serverInfo } });
  guard.fromClient({ jsonrpc: "2.0", method: "notifications/initialized" });
  guard.fromClient({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  guard.fromServer({ jsonrpc: "2.0", id: 1, result: { tools: [...tools] } });
  return rules.filter((rule) => rule.startsWith("mcp/"));
}
