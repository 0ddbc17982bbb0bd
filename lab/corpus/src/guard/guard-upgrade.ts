import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isSameJson, type JsonObject } from "../../../../packages/canonical-json/src/json-value/index.ts";
import { type LockedServer, parseLock } from "../../../../packages/mcp-lock/src/index.ts";
import { cachePath } from "../cache.ts";
import { output } from "../run.ts";
import { CORPUS, programOf, type Release } from "../servers.ts";
import { exampleArguments } from "./example-arguments.ts";
import { type Answer, LineClient } from "./line-client.ts";

const CLI = fileURLToPath(new URL("../../apps/cli/src/main.ts", CORPUS));
export const AGENTPRINT: readonly [string, string, string] = [process.execPath, "--conditions=@agentprint/source", CLI];
const TEE = fileURLToPath(new URL("src/guard/tee.mjs", CORPUS));
const RECORD = ["--record", "trail", "--record-key", "recorder.key"];
const UNKNOWN_TOOL = -32_602;

/** The guard's decisions on the tools of both versions. */
export interface GuardedUpgrade {
  readonly server: string;
  readonly from: string;
  readonly to: string;
  readonly passed: number;
  readonly frozen: number;
  readonly refused: number;
  /** The number of locked tools that the newer version no longer has. */
  readonly gone: number;
  /** The number of calls that reached the server, and of calls that were held back completely. */
  readonly reached: number;
  readonly kept: number;
  /**
   * The number of calls that succeeded on the server; `null` if a stand-in answered because the server needs an account
   * or a browser.
   */
  readonly worked: number | null;
  /** The faults that were found; empty if the guard behaved as specified. */
  readonly faults: readonly string[];
}

/**
 * Pins the older version, serves the newer one behind the guard, and calls every tool of either version. The bytes that
 * the server received are compared with those that the client sent.
 */
export async function guardUpgrade(before: Release, after: Release): Promise<GuardedUpgrade> {
  const { name, args, env = {}, isOffline = false } = before;
  const cwd = homeOf(before, after);
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd);
  const options = { cwd, env: { ...process.env, ...env, HOME: cwd, XDG_STATE_HOME: `${cwd}/../state` } };
  const path = (file: string): string => `${cwd}/${file}`;
  const serve = (release: Release): void => {
    const served = { program: programOf(release.alias), answersCalls: !isOffline };
    writeFileSync(path("served.json"), JSON.stringify(served));
    for (const log of ["seen.log", "said.log"]) writeFileSync(path(log), "");
  };

  writeFileSync(path("a.txt"), "hello");
  writeFileSync(path("agentprint.config.json"), JSON.stringify({ preset: "compatible" }));
  serve(before);
  const passed = Object.keys(env).flatMap((variable) => ["--env", variable]);
  await output([...AGENTPRINT, "pin", "--name", name, ...passed, "--", "node", TEE, ...args], options);
  const entry = parseLock(readFileSync(path("agentprint.lock"))).servers[0] as LockedServer;

  serve(after);
  const command = [...AGENTPRINT, "guard", name, ...RECORD] as const;
  const { shown, live, calls } = await useTools(command, options, entry);
  const log = await output([...AGENTPRINT, "guard", "log", ...RECORD, "--format", "json"], options);
  return judged({ before, after, entry, shown, live, calls, seen: readFileSync(path("seen.log"), "utf8"), log });
}

/** Returns the folder in which an upgrade is guarded, and in which the lock and the newer version remain. */
export function homeOf(before: Release, after: Release): string {
  return cachePath("guarded", `${before.alias}-${after.version}`, "home");
}

/** A call's line exactly as it was written, and the response. */
interface Call {
  readonly tool: string;
  readonly line: string;
  readonly answer: Answer;
}

async function useTools(
  command: readonly [string, ...string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  { client, clientCapabilities, tools: locked }: LockedServer,
): Promise<Pick<Seen, "shown" | "live" | "calls">> {
  await using guard = new LineClient(command, options);
  await guard.request("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: clientCapabilities,
    clientInfo: { name: client, version: "1.0.0" },
  });
  guard.notify("notifications/initialized");
  const { answer } = await guard.request("tools/list", {});
  const shown = (answer.result?.["tools"] ?? []) as JsonObject[];
  const live = liveTools(`${options.cwd}/said.log`);
  const known = [...locked.map(({ definition }) => definition), ...live, ...shown];
  const calls: Call[] = [];
  for (const [tool, definition] of new Map(known.map((tool) => [nameOf(tool), tool]))) {
    const params = { name: tool, arguments: exampleArguments(definition) };
    calls.push({ tool, ...(await guard.request("tools/call", params)) });
  }
  return { shown, live, calls };
}

interface Seen {
  readonly before: Release;
  readonly after: Release;
  readonly entry: LockedServer;
  readonly shown: readonly JsonObject[];
  readonly live: readonly JsonObject[];
  readonly calls: readonly Call[];
  readonly seen: string;
  readonly log: string;
}

function judged({ before, after, entry, shown, live, calls, seen, log }: Seen): GuardedUpgrade {
  const locked = entry.tools.map(({ definition }) => definition);
  const find = (tools: readonly JsonObject[], tool: JsonObject) => tools.find((each) => nameOf(each) === nameOf(tool));
  const isPassed = (tool: JsonObject): boolean => isSameJson(find(live, tool), tool);
  const frozen = shown.filter((tool) => !isPassed(tool));
  const [kept, reached] = [calls.filter(isRefused), calls.filter((call) => !isRefused(call))];
  const offered = new Set(shown.map(nameOf));
  const lines = seen.split("\n").filter((line) => line.includes('"tools/call"'));
  const logged = log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const recorded = (tool: string) => logged.some(({ event }) => event?.kind === "refused" && event.tool === tool);
  const faults = [
    ...frozen.filter((tool) => !isSameJson(find(locked, tool), tool)).map((tool) => `${nameOf(tool)}: neither version`),
    ...kept.filter(({ tool }) => offered.has(tool)).map(({ tool }) => `${tool}: offered, and refused`),
    ...reached.filter(({ tool }) => !offered.has(tool)).map(({ tool }) => `${tool}: not offered, and not refused`),
    ...kept.filter(({ tool }) => !recorded(tool)).map(({ tool }) => `${tool}: its refusal is not recorded`),
    ...(isSameJson(
      lines,
      reached.map(({ line }) => line),
    )
      ? []
      : ["the bytes that reached the server are not the bytes that were sent"]),
  ];
  return {
    server: before.package,
    from: before.version,
    to: after.version,
    passed: shown.length - frozen.length,
    frozen: frozen.length,
    refused: live.filter((tool) => !offered.has(nameOf(tool))).length,
    gone: locked.filter((tool) => find(live, tool) === undefined).length,
    reached: reached.length,
    kept: kept.length,
    worked: before.isOffline ? reached.filter(({ answer }) => isGood(answer)).length : null,
    faults,
  };
}

function isGood({ result }: Answer): boolean {
  return result !== undefined && result["isError"] !== true;
}

function isRefused({ answer: { result, error } }: Call): boolean {
  if (error !== undefined) return error.code === UNKNOWN_TOOL && error.message === "Unknown tool";
  return result?.["isError"] === true && JSON.stringify(result["content"]).includes("Refused by the guard");
}

/** Returns the tools on the pages that the server sent last. */
function liveTools(log: string): JsonObject[] {
  const pages = readFileSync(log, "utf8")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as { result?: { tools?: JsonObject[] } }]));
  const tools = pages.flatMap(({ result }) => result?.tools ?? []);
  return [...new Map(tools.map((tool) => [nameOf(tool), tool])).values()];
}

function nameOf({ name }: JsonObject): string {
  return String(name);
}
