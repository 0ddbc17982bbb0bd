import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Survivor } from "../survivor.ts";
import type { StdioTarget } from "../target.ts";
import { findMembers, type ProcessTree } from "./find-members.ts";
import { launchProcess, type ServerEnd } from "./launch-process.ts";
import { killTree, terminateTree, trackTree } from "./process-tree.ts";

/** A server whose standard streams the caller uses. */
export interface RunningServer {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<ServerEnd>;
  /** Asks all processes of the server to end. */
  terminate(): void;
  /**
   * Closes the input of the server, waits for its end, asks it to end, and then ends each of its processes.
   *
   * @param grace - How long each of the first two steps waits, in milliseconds.
   * @returns The processes that are still running.
   */
  close(grace: number): Promise<readonly Survivor[]>;
}

/**
 * Starts a server as a visit starts it, for a conversation: its environment, arguments and parents do not show who started it.
 * No process of it is left when this process ends, unless SIGKILL ends this process. The caller decides
 * on the effect of signals to this process.
 *
 * @throws {@link VisitError} `server-not-started` when the command cannot be run.
 *
 * @example
 * ```ts
 * import { startServer } from "@agentprint/mcp-visit";
 *
 * const command = { command: "node", args: ["-e", "process.exit(3)"] };
 * const server = await startServer({ type: "stdio", ...command, env: {}, launch: { type: "stdio", ...command, env: [] } });
 * console.log((await server.ended).exitCode); // 3
 * await server.close(1000);
 * ```
 */
export async function startServer(target: StdioTarget): Promise<RunningServer> {
  const { child, stdin, mark, running, ended } = await launchProcess(target);
  const { stdout, stderr } = child as { stdout: Readable; stderr: Readable };
  const tree: ProcessTree = { pid: child.pid as number, mark, members: new Map() };
  trackTree(tree, running, false);
  // `ended` is fulfilled when the server ends.
  stdin.on("error", () => undefined);
  const isEnded = (grace: number): Promise<boolean> => {
    const late = new AbortController();
    const waited = sleep(grace, false, { signal: late.signal }).catch(() => false);
    return Promise.race([ended.then(() => true), waited]).finally(() => late.abort());
  };
  return {
    stdin,
    stdout,
    stderr,
    ended,
    terminate: () => terminateTree(tree),
    close: async (grace) => {
      await findMembers(tree);
      stdin.end();
      if (!(await isEnded(grace))) {
        terminateTree(tree);
        await isEnded(grace);
      }
      const survivors = await killTree(tree);
      for (const stream of child.stdio) stream?.destroy();
      child.unref();
      return survivors;
    },
  };
}
