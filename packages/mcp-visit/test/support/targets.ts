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

/** A server of the official SDK, started with these arguments. */
export function server(name: "sdk-v1" | "sdk-v2", ...args: string[]): StdioTarget {
  return started(import.meta.resolve(`@agentprint/testing/mcp-servers/${name}`), ...args);
}

function started(module: string, ...args: string[]): StdioTarget {
  const command = process.execPath;
  const all = [fileURLToPath(module), ...args];
  return { type: "stdio", launch: { type: "stdio", command, args: all, env: [] }, command, args: all, env: {} };
}

/** A server that does what a script says, in its own process. */
export function scripted(script: Script): StdioTarget {
  return started(import.meta.resolve("../servers/scripted.ts"), JSON.stringify(script));
}

/** Visits a server that does what a script says, in this process: most of the time of a visit is the start of a process. */
export function visitInMemory(script: Script, changes: Partial<VisitOptions> = {}): Promise<VisitAnswers> {
  const channel: ChannelFactory = (_target, _era, _profile, maxBytes) => new MemoryChannel(script, maxBytes);
  return visitServer(scripted(script), options({ channel, settle: 10, ...changes }));
}

/** A server at a URL. */
export function at(url: string, headers: Record<string, string> = {}): HttpTarget {
  return { type: "http", launch: { type: "http", url, headers: Object.keys(headers) }, url, headers };
}

/** The options of a visit, with the defaults of the command line. */
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

/** The names of the tools of a session, from its last reading. */
export function toolNames(session: SessionAnswers | undefined): unknown[] {
  const pages = session?.lists.tools?.at(-1) ?? [];
  return pages.flatMap(({ tools }) => (Array.isArray(tools) ? tools : [])).map((one) => (one as { name: string }).name);
}

/** A server that follows a script while no other process of it runs; `place` is a port or a file. */
export function exclusive(script: Script, kind: Kind, place: string): StdioTarget {
  return started(import.meta.resolve("../servers/exclusive.ts"), JSON.stringify(script), kind, place);
}
