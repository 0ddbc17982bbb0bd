import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import {
  type Channel,
  type ChannelFactory,
  inheritedEnvironment,
  MessageReader,
  VisitError,
} from "@agentprint/mcp-visit";

/** The surroundings of a server of `test/hostile` where it starts: in a process, or in this one. */
interface Start {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes text as it is to the standard output. */
  readonly write: (text: string) => void;
}

/** A server of `test/hostile` that needs nothing of a process; returns what takes each message. */
type Server = (start: Start) => (message: unknown) => void;

const HOSTILE = join(import.meta.dirname, "../hostile");
/** The servers that answer in this process. The others are about processes, their folders and streams. */
const IN_MEMORY = new Set([
  "changes-behind.mjs",
  "many-tools.mjs",
  "shows-each-name-another-list.mjs",
  "terminal-escapes.mjs",
]);

/**
 * Makes a channel to a server of `test/hostile` in this process, which is asked, answers and is read as over stdio: most of the time of
 * a test that visits one is the start of a process. `undefined` for every other target, and where a process would not start.
 */
export const memoryChannel: ChannelFactory = (target, _era, _profile, maxBytes) => {
  if (target.type !== "stdio" || target.command !== process.execPath) return undefined;
  const [script = "", ...args] = target.args;
  if (dirname(script) !== HOSTILE || !IN_MEMORY.has(basename(script)) || !isFolder(target.cwd ?? ".")) return undefined;
  const env = { ...inheritedEnvironment(), ...target.env };
  return channelTo(script, { args, env }, maxBytes);
};

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function channelTo(script: string, given: Omit<Start, "write">, maxBytes: number): Channel {
  const reader = new MessageReader(maxBytes);
  let isOpen = false;
  let receive: (message: unknown) => void = () => {};
  // Each message arrives in a later turn, as over a pipe.
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
      Object.assign(globalThis, { isTestOfAgentprint: true });
      const { start } = (await import(script)) as { start: Server };
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
