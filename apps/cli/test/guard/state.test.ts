import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { GuardEvent } from "@agentprint/guard";
import { expect, onTestFinished, test } from "vitest";
import { StateKeeper } from "../../src/guard/keep-state.ts";
import { readState, type ServerState, stateFileOf } from "../../src/guard/state-file.ts";
import { askHook } from "../support/claude-code-hook.ts";
import { memoryContext, STATE } from "../support/run-cli.ts";
import { ONE_ERA } from "../support/short-visits.ts";
import { toolsServer } from "../support/tools-server.ts";
import { Workspace } from "../support/workspace.ts";
import { GuardedHere } from "./guarded.ts";
import { driftedFiles } from "./support.ts";

const DAY = 24 * 60 * 60 * 1000;
const CALL = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "list_allowed_directories", arguments: {} },
};

async function stateOf(space: Workspace): Promise<[file: string, state: ServerState]> {
  const file = await stateFileOf(memoryContext([], { cwd: space.folder }), "agentprint.lock", "files");
  return [file, JSON.parse(readFileSync(file, "utf8"))];
}

test("the plugin's hook decides by the state that a guard verified: drifted, as pinned, old", async () => {
  using space = await driftedFiles(ONE_ERA);
  const ask = (tool: string): string => askHook(space.folder, `mcp__files__${tool}`, STATE);
  expect(ask("read_text_file")).toMatch(/^ask: The server files was not checked/);
  await using guarded = new GuardedHere(space, "files");
  guarded.send(CALL);
  await guarded.line();
  await guarded.end();

  expect(ask("read_text_file")).toBe("nothing");
  expect(ask("move_file")).toMatch(/^deny: This tool is not as it was pinned/);
  expect(ask("unknown")).toMatch(/^deny: This tool is not in/);
  const [file, state] = await stateOf(space);
  expect(state).toMatchObject({ by: "guard", tools: { move_file: "block" } });
  const verifiedAt = new Date(Date.now() - DAY - 1000).toISOString();
  writeFileSync(file, JSON.stringify({ ...state, verifiedAt }));
  expect(ask("read_text_file")).toMatch(/^ask: The last check is older than a day/);
  writeFileSync(space.path("agentprint.lock"), `${space.lockText()} `);
  expect(ask("read_text_file")).toMatch(/^ask: agentprint.lock changed/);
});

/** Creates a folder in which the server `files` is pinned with one tool. */
async function pinnedTool(): Promise<Workspace> {
  const space = new Workspace();
  const tools = [{ name: "move_file", inputSchema: { type: "object" } }];
  writeFileSync(space.path("server.cjs"), toolsServer(tools));
  const pinned = await space.run(["pin", "--name", "files", "--", "node", "server.cjs"]);
  if (pinned.code !== 0) throw new Error(pinned.stderr);
  return space;
}

/** Returns a keeper, its output, and a function that sends it a verified list. */
function keeperOf(space: Workspace, state: string, dryRun = false) {
  const stderr = new PassThrough({ encoding: "utf8" });
  const options = { cwd: space.folder, env: { XDG_STATE_HOME: state } };
  const context = memoryContext([], options, new PassThrough(), stderr);
  const keeper = new StateKeeper(context, { lock: "agentprint.lock", dryRun });
  const digest = space.lock().servers[0]?.digest ?? "";
  const listed = (tools: Readonly<Record<string, string>>, minutes: number, lock = digest): void =>
    keeper.onEvent({
      kind: "listing",
      server: "files",
      digests: { lock },
      time: minutes * 60_000,
      tools: new Map(Object.entries(tools)),
    } as unknown as GuardEvent);
  const kept = async () => {
    await keeper.close();
    return readState(context, "agentprint.lock", "files");
  };
  return { keeper, listed, kept, said: () => String(stderr.read() ?? "") };
}

test("a state is written when a decision changed, and again after ten minutes", async () => {
  using space = await pinnedTool();
  const state = space.path("state");
  const { keeper, listed, kept } = keeperOf(space, state, true);
  listed({ move_file: "pass", added: "block", let_in: "pass" }, 0);
  // The state for the hook omits a tool that is not in the lock and that the guard blocks.
  const first = { by: "check", verifiedAt: new Date(0).toISOString(), tools: { move_file: "pass", let_in: "pass" } };
  expect(await kept()).toMatchObject({ ...first, digest: space.lock().servers[0]?.digest });
  listed({ move_file: "pass", added: "block", let_in: "pass" }, 9);
  expect(await kept()).toMatchObject(first);
  listed({ move_file: "pass", added: "block", let_in: "pass" }, 10);
  expect((await kept())?.verifiedAt).toBe(new Date(600_000).toISOString());
  listed({ move_file: "block" }, 11);
  expect((await kept())?.tools).toEqual({ move_file: "block" });
  listed({ move_file: "pass" }, 12, "0".repeat(64));
  expect((await kept())?.tools).toEqual({ move_file: "block" });
  keeper.onEvent({ kind: "replaced" } as GuardEvent);
  listed({ move_file: "block" }, 13);
  expect((await kept())?.verifiedAt).toBe(new Date(780_000).toISOString());
});

test("a state that cannot be written is reported once, and the guard continues", async () => {
  using space = await pinnedTool();
  const folder = mkdtempSync(join(tmpdir(), "agentprint-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "no-folder");
  writeFileSync(file, "");
  const { listed, kept, said } = keeperOf(space, file);
  listed({ move_file: "pass" }, 0);
  await expect(kept()).rejects.toThrow();
  expect(said()).toMatch(/the verdicts are not kept for a client's hook/);
  listed({ move_file: "pass" }, 1);
  await expect(kept()).rejects.toThrow();
  expect(said()).toBe("");
});
