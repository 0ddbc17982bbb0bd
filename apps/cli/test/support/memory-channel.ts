import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  type Channel,
  type ChannelFactory,
  inheritedEnvironment,
  MessageReader,
  VisitError,
} from "@agentprint/mcp-visit";
import { scriptServer } from "./script-server.ts";
import { readToolsServer } from "./tools-server.ts";

/** The surroundings in which a server starts: its own process, or this one. */
export interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes text unchanged to the standard output. */
  readonly write: (text: string) => void;
}

/** A server that needs no process of its own; returns the function that receives each message. */
export type Server = (start: Start) => (message: unknown) => void;

const HOSTILE = join(import.meta.dirname, "../hostile");
/** The servers that can answer in this process. The other servers test processes, their folders and their streams. */
const IN_MEMORY = new Set([
  "changes-behind.mjs",
  "many-tools.mjs",
  "shows-each-name-another-list.mjs",
  "terminal-escapes.mjs",
]);

/**
 * Opens a channel to a server of `test/hostile`, to a server that `toolsServer` wrote, or to a script whose first line
 * allows tests to run it in this process. Messages are exchanged as over stdio, but a test saves the start of a
 * process, which takes most of its time. Returns `undefined` for every other target, and if a process would fail to
 * start.
 */
export const memoryChannel: ChannelFactory = (target, _era, _profile, maxBytes) => {
  if (target.type !== "stdio" || !isFolder(target.cwd ?? ".")) return undefined;
  const [script = "", ...args] = target.args;
  const env = { ...inheritedEnvironment(), ...target.env };
  if (target.command === process.execPath && dirname(script) === HOSTILE && IN_MEMORY.has(basename(script))) {
    const load = async (): Promise<Server> => {
      Object.assign(globalThis, { isTestOfAgentprint: true });
      return ((await import(script)) as { start: Server }).start;
    };
    return channelTo(load, { args, env }, maxBytes);
  }
  const isNode = target.command === process.execPath || target.command === "node";
  if (!isNode || env["PATH"] !== process.env["PATH"] || env["NODE_OPTIONS"]) return undefined;
  const cwd = resolve(target.cwd ?? ".");
  const path = resolve(cwd, script);
  const server = (args.length === 0 ? serverOfTools(path) : undefined) ?? scriptServer(path, cwd, args[0]);
  return server && channelTo(async () => server, { args, env }, maxBytes);
};

/** Returns the server defined by a script that `toolsServer` wrote. */
function serverOfTools(path: string): Server | undefined {
  const given = isFile(path) ? readToolsServer(readFileSync(path, "utf8")) : undefined;
  if (given === undefined) return undefined;
  const { tools, name, version } = given;
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name, version } },
    "tools/list": { tools },
  };
  return ({ write }) =>
    (message) => {
      const { id, method } = message as { readonly id?: unknown; readonly method: string };
      if (id === undefined) return;
      const result = results[method];
      const error = { code: -32601, message: "Method not found" };
      write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
    };
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function channelTo(load: () => Promise<Server>, given: Omit<Start, "write">, maxBytes: number): Channel {
  const reader = new MessageReader(maxBytes);
  let isOpen = false;
  let receive: (message: unknown) => void = () => {};
  // Each message arrives in a later turn of the event loop, as over a pipe.
  const later = (act: () => void): void => void setImmediate(() => isOpen && act());
  const send: Channel["send"] = async (message) => {
    const line = JSON.stringify(message);
    later(() => receive(JSON.parse(line)));
  };
  return {
    open: async (events) => {
      isOpen = true;
      const read = (text: string): void => {
        try {
          reader.push(Buffer.from(text), (message) => events.message(message));
        } catch (error) {
          isOpen = false;
          if (!(error instanceof VisitError)) throw error;
          events.failure(error);
        }
      };
      const start = await load();
      receive = start({ ...given, write: (text) => later(() => read(text)) });
    },
    send,
    listen: async () => {},
    agreeOn: () => {},
    cancel: (requestId) => void send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } }),
    close: async () => {
      isOpen = false;
      return [];
    },
    stderrTail: () => "",
    logged: () => reader.logged,
  };
}
