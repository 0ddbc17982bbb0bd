import { fileURLToPath } from "node:url";
import type { SessionAnswers, VisitAnswers } from "@agentprint/mcp";
import {
  type ChannelFactory,
  DEFAULT_LIMITS,
  DEFAULT_SETTLE,
  type HttpTarget,
  type StdioTarget,
  type VisitOptions,
  visitServer,
} from "../../src/index.ts";
import type { Kind } from "../servers/exclusive.ts";
import type { Script } from "../servers/scripted-server.ts";
import { MemoryChannel } from "./memory-channel.ts";

/** Returns a server of the official SDK, started with these arguments. */
export function server(name: "sdk-v1" | "sdk-v2", ...args: string[]): StdioTarget {
  return started(import.meta.resolve(`@agentprint/testing/mcp-servers/${name}`), ...args);
}

function started(module: string, ...args: string[]): StdioTarget {
  const command = process.execPath;
  const all = [fileURLToPath(module), ...args];
  return { type: "stdio", launch: { type: "stdio", command, args: all, env: [] }, command, args: all, env: {} };
}

/** Returns a server that follows a script in its own process. */
export function scripted(script: Script): StdioTarget {
  return started(import.meta.resolve("../servers/scripted.ts"), JSON.stringify(script));
}

/** Visits a server that follows a script in this process, because starting a process takes most of a visit's time. */
export function visitInMemory(script: Script, changes: Partial<VisitOptions> = {}): Promise<VisitAnswers> {
  const channel: ChannelFactory = (_target, _era, _profile, maxBytes) => new MemoryChannel(script, maxBytes);
  return visitServer(scripted(script), options({ channel, settle: 10, ...changes }));
}

/** Returns a server at a URL. */
export function at(url: string, headers: Record<string, string> = {}): HttpTarget {
  return { type: "http", launch: { type: "http", url, headers: Object.keys(headers) }, url, headers };
}

/** Returns a visit's options, with the defaults of the command line. */
export function options(changes: Partial<VisitOptions> = {}): VisitOptions {
  return {
    client: "claude-code",
    views: ["client"],
    protocol: "auto",
    settle: DEFAULT_SETTLE,
    contents: false,
    limits: DEFAULT_LIMITS,
    ...changes,
  };
}

export function tool(name: string, description = "harmless"): object {
  return { name, description, inputSchema: { type: "object" } };
}

/** Returns the names of a session's tools, from the last reading. */
export function toolNames(session: SessionAnswers | undefined): unknown[] {
  const pages = session?.lists.tools?.at(-1) ?? [];
  return pages.flatMap(({ tools }) => (Array.isArray(tools) ? tools : [])).map((one) => (one as { name: string }).name);
}

/** Returns a server that follows a script while none of its other processes runs; `place` is a port or a file. */
export function exclusive(script: Script, kind: Kind, place: string): StdioTarget {
  return started(import.meta.resolve("../servers/exclusive.ts"), JSON.stringify(script), kind, place);
}
