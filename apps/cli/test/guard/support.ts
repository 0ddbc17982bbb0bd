import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { VisitSettings } from "@agentprint/policy/settings";
import { outputOf, startProgram } from "@agentprint/testing/programs";
import { expect } from "vitest";
import { STATE } from "../support/run-cli.ts";
import { AGENTPRINT } from "../support/spawn-cli.ts";
import { Workspace } from "../support/workspace.ts";
import { callOf } from "./guarded.ts";

const require = createRequire(import.meta.url);

/** Returns the path of this version of the file server's script. */
export function fileServer(version: "2026-1-14" | "2026-7-4"): string {
  return require.resolve(`server-filesystem-${version}/dist/index.js`);
}

/** Starts the server that a file names, and logs every byte of the server's input. */
const START = `
import { spawn } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
const child = spawn(process.execPath, [readFileSync("served.txt", "utf8"), "files"], { stdio: ["pipe", "inherit", "inherit"] });
process.stdin.on("data", (chunk) => {
  appendFileSync("seen.log", chunk);
  child.stdin.write(chunk);
});
process.stdin.on("end", () => child.stdin.end());
child.on("exit", (code) => process.exit(code ?? 1));
`;

/** Creates a folder in which January's file server is pinned and July's is served from then on. */
export async function driftedFiles(visits?: VisitSettings): Promise<Workspace> {
  const space = new Workspace(visits);
  mkdirSync(space.path("files"));
  writeFileSync(space.path("files/a.txt"), "hello");
  writeFileSync(space.path("start.mjs"), START);
  writeFileSync(space.path("served.txt"), fileServer("2026-1-14"));
  writeFileSync(space.path("agentprint.config.json"), JSON.stringify({ preset: "compatible" }));
  const pinned = await space.run(["pin", "--name", "files", "--", process.execPath, "start.mjs"]);
  if (pinned.code !== 0) throw new Error(pinned.stderr);
  writeFileSync(space.path("served.txt"), fileServer("2026-7-4"));
  writeFileSync(space.path("seen.log"), "");
  return space;
}

/** Starts a guard that answers over HTTP until it is disposed of; `url` is the first server's. */
export async function listening(
  space: Workspace,
  servers: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { readonly url: URL; readonly pid: number; rss(): number; said(): string }> {
  const [command, ...args] = AGENTPRINT;
  const child = await startProgram(command, [...args, "guard", "--http", "127.0.0.1:0", ...servers], {
    cwd: space.folder,
    env: { ...process.env, ...STATE, ...env },
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    child.emit("said");
  });
  child.once("exit", () => child.emit("said"));
  let url: string | undefined;
  while (url === undefined) {
    await once(child, "said");
    if (child.exitCode !== null) throw new Error(said);
    [url] = /http:\/\/127\S+/.exec(said) ?? [];
  }
  return {
    url: new URL(url),
    pid: Number(child.pid),
    said: () => said,
    // The resident memory of the process, in MiB.
    rss: () => Number(outputOf("ps", ["-o", "rss=", "-p", String(child.pid)])) / 1024,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The metadata of a request in the new era. */
export const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
} as const;

/** Posts a new-era tool call that requests progress notifications. */
export function postCall(
  url: URL,
  name: string,
  args: object,
  { id = 1, signal }: { readonly id?: number | string; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": MODERN["io.modelcontextprotocol/protocolVersion"],
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify(callOf(id, name, args, { ...MODERN, progressToken: 1 })),
    ...(signal && { signal }),
  });
}

/** The methods that the tests use of the official clients of both major versions. */
interface Client {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

/**
 * Asserts that a client behind the guard of {@link driftedFiles} can read a file, but neither sees nor can call the
 * tool that drifted.
 */
export async function expectGuarded(client: Client, space: Workspace): Promise<void> {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("read_text_file");
  expect(names).not.toContain("move_file");
  const path = space.path("files/a.txt");
  expect(JSON.stringify(await client.callTool({ name: "read_text_file", arguments: { path } }))).toContain("hello");
  const refused = await client.callTool({
    name: "move_file",
    arguments: { source: path, destination: space.path("files/b.txt") },
  });
  expect(refused["isError"]).toBe(true);
  expect(readFileSync(path, "utf8")).toBe("hello");
  const seen = readFileSync(space.path("seen.log"), "utf8");
  expect(seen).toContain("read_text_file");
  expect(seen).not.toContain("move_file");
}
