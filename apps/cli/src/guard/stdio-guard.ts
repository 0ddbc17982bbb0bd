import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "@agentprint/guard";
import { type RunningServer, type StdioTarget, startServer } from "@agentprint/mcp-visit";
import { EXIT } from "@agentprint/report";
import type { Context } from "../context.ts";
import { printNotices } from "../terminal/notices.ts";
import type { GuardEnd } from "./guard-end.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { GuardedServer } from "./guarded-target.ts";
import { InOrder, notRecorded } from "./in-order.ts";
import { GRACE, MAX_LINE_BYTES } from "./limits.ts";
import { type LoadedLock, watchLock } from "./load-lock.ts";
import { makeGuard } from "./make-guard.ts";
import { MessageSink, type OnLine, pumpLines } from "./message-pump.ts";
import type { Recording } from "./record.ts";

/**
 * Stands between the client at the standard streams of this process and a server that it starts.
 *
 * @returns with the exit code of the server
 */
export async function guardStdio(
  context: Context,
  { entry, target }: GuardedServer,
  loaded: LoadedLock,
  options: GuardCommandOptions,
  recording: Recording,
): Promise<GuardEnd> {
  const server = await startServer(target as StdioTarget);
  const toClient = new MessageSink(context.stdout, context.hidden.rawWrite(context.stdout));
  const toServer = new MessageSink(server.stdin);
  const inOrder = new InOrder(recording);
  const deliver = (step: Step, line?: Parameters<OnLine>[0]): void => {
    toClient.send(step.toClient, line);
    inOrder.run(
      () => toServer.send(step.toServer, line),
      () => {
        for (const answer of notRecorded(step)) deliver(guard.fromServer(answer));
      },
    );
  };
  const guard = makeGuard(entry.name, loaded, options, { onEvent: recording.onEvent, onOutput: deliver });
  const watcher = watchLock(context, options, ({ lock, policy }) => guard.replaceLock(lock, policy));
  server.stderr.on("data", (chunk: Uint8Array) => context.stderr.write(chunk));

  const { stdin } = context;
  const fromClient = pumpLines(stdin, [toServer, toClient, inOrder], MAX_LINE_BYTES, (line) =>
    deliver(guard.fromClient(line.text), line),
  );
  // While the server waits for its output to be read, it may read no input: only the client is waited for.
  const fromServer = pumpLines(server.stdout, [toClient], MAX_LINE_BYTES, (line) =>
    deliver(guard.fromServer(line.text), line),
  );
  const ending = new Ending(context, server);
  const isWhole = await Promise.race([fromClient, fromServer, ending.asked.then(() => true)]);
  if (!isWhole) printNotices(context, [`a message of more than ${MAX_LINE_BYTES} bytes ended the connection`]);
  // A server that was asked to end by a signal does so in its own way.
  if (!ending.isAsked) server.stdin.end();
  if (!(await within(server.ended, GRACE))) server.terminate();
  // What the server still says after the client has nothing more to say is for the client.
  await within(fromServer, GRACE);
  const survivors = await server.close(GRACE);
  deliver(guard.close());
  watcher.close();
  stdin.destroy();
  if (survivors.length > 0) printNotices(context, [`still running: ${survivors.map(({ pid }) => pid).join(" ")}`]);
  const isRead = new Promise<void>((resolve) => toClient.whenEmpty(resolve));
  // Whoever asked this process to end does not wait for a client that reads nothing.
  if (ending.isAsked) await within(isRead, GRACE);
  else await isRead;
  ending.stop();
  return { exitCode: (await server.ended).exitCode ?? EXIT.unknown, signal: ending.signal };
}

/** Whether a promise is settled in time. */
async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const late = new AbortController();
  const waited = sleep(milliseconds, false, { signal: late.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), waited]);
  late.abort();
  return isSettled;
}

/** Passes the signals that ask this process to end on to the server. */
class Ending {
  readonly asked: Promise<NodeJS.Signals>;
  /** Leaves the signals to themselves again. */
  readonly stop: () => void;
  #signal: NodeJS.Signals | undefined;

  constructor(context: Context, server: RunningServer) {
    let stop = (): void => undefined;
    this.asked = new Promise((resolve) => {
      stop =
        context.signals?.listen((signal) => {
          this.#signal = signal;
          server.terminate();
          resolve(signal);
        }) ?? stop;
    });
    this.stop = stop;
  }

  get isAsked(): boolean {
    return this.#signal !== undefined;
  }

  get signal(): NodeJS.Signals | undefined {
    return this.#signal;
  }
}
