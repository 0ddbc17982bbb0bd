import { setTimeout as sleep } from "node:timers/promises";
import { EXIT } from "@agentprint/findings";
import type { GuardEvent, Step } from "@agentprint/guard";
import {
  AFTER_INPUT,
  AFTER_SIGNAL,
  GRACE,
  InOrder,
  MAX_LINE_BYTES,
  MessageSink,
  NOT_READ,
  notRecorded,
  type OnLine,
  passStderr,
  pumpLines,
  type Recording,
  withoutLog,
} from "@agentprint/guard-proxy";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import type { RunningServer } from "@agentprint/mcp-visit";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import type { GuardEnd } from "./guard-end.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import { type GuardedServer, isSameTarget } from "./guarded-target.ts";
import type { LoadedLock } from "./load-lock.ts";
import { makeGuard, replaceLock } from "./make-guard.ts";
import { onListing } from "./on-listing.ts";
import { startPinned } from "./start-pinned.ts";
import { watchLock } from "./watch-lock.ts";

/**
 * Sits between the client at the standard streams of this process and a server that it starts.
 *
 * @returns the exit code of the server
 */
export async function guardStdio(
  context: Context,
  guarded: GuardedServer,
  loaded: LoadedLock,
  options: GuardCommandOptions,
  recording: Recording,
): Promise<GuardEnd> {
  const { entry, launched } = guarded;
  const { lock, dryRun } = options;
  const launch = { name: entry.name, launched, lock, inForce: () => loaded, dryRun };
  const server = await startPinned(context, launch);
  const toClient = new MessageSink(context.stdout, { write: context.hidden.rawWrite(context.stdout) });
  const onUnread = (): void => {
    printNotices(context, [NOT_READ]);
    void server.close(AFTER_SIGNAL);
  };
  const toServer = new MessageSink(server.stdin, { onUnread });
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
  const unpinned = new Unpinned(context, guarded, loaded, options);
  const onListed = onListing(options.recheck, () => unpinned.prove());
  const onEvent = (event: GuardEvent): void => {
    recording.onEvent(event);
    onListed(event);
  };
  const guard = makeGuard(entry.name, loaded, options, { onEvent, onOutput: deliver });
  const watcher = watchLock(context, options, loaded, (replaced) => {
    unpinned.look(replaced);
    replaceLock(guard, entry.name, replaced);
  });
  void server.errorsChecked.then((isAsPinned) => {
    const { stderr, hidden } = context;
    if (isAsPinned) passStderr({ stderr, secrets: () => hidden.stream() }, server.stderr);
  });

  const { stdin } = context;
  const fromClient = pumpLines(stdin, [toServer, toClient, inOrder], MAX_LINE_BYTES, (line) =>
    deliver(guard.fromClient(line.text), line),
  );
  // A server that waits for its output to be read may read no input, so only the client is waited for.
  let isRefused = false;
  const fromServer = server.outputChecked.then((isAsPinned) => {
    isRefused = !isAsPinned;
    if (isRefused) return true;
    const onLine: OnLine = (line) => deliver(guard.fromServer(line.text), line);
    return pumpLines(server.stdout, [toClient], MAX_LINE_BYTES, options.dryRun ? onLine : withoutLog(onLine));
  });
  const ending = new Ending(context, server);
  const isWhole = await Promise.race([fromClient, fromServer, ending.asked.then(() => true), unpinned.found]);
  if (!isWhole) printNotices(context, [`a message of more than ${MAX_LINE_BYTES} bytes ended the connection`]);
  // The client still receives messages that the server sends after the client has closed its end.
  const survivors = await server.close({ ...AFTER_INPUT, drained: fromServer });
  deliver(guard.close());
  watcher.close();
  stdin.destroy();
  if (survivors.length > 0) printNotices(context, [`still running: ${survivors.map(({ pid }) => pid).join(" ")}`]);
  const isRead = new Promise<void>((resolve) => toClient.whenEmpty(resolve));
  // The end of this process must not wait for a client that reads nothing.
  await Promise.race([isRead, ending.asked.then(() => within(isRead, GRACE))]);
  ending.stop();
  const { exitCode = EXIT.unknown } = isRefused || unpinned.isFound ? {} : await server.ended;
  return { exitCode, signal: ending.signal };
}

/** Detects that the lock no longer matches the running server. */
class Unpinned {
  readonly found: Promise<true>;
  readonly #context: Context;
  readonly #guarded: GuardedServer;
  readonly #options: Pick<GuardCommandOptions, "dryRun">;
  #loaded: LoadedLock;
  #resolve: (found: true) => void = () => undefined;
  #isFound = false;

  constructor(
    context: Context,
    guarded: GuardedServer,
    loaded: LoadedLock,
    options: Pick<GuardCommandOptions, "dryRun">,
  ) {
    this.#context = context;
    this.#loaded = loaded;
    this.#guarded = guarded;
    this.#options = options;
    this.found = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** Verifies the statement that the policy requires again. */
  async prove(): Promise<void> {
    const entry = this.#entry();
    if (entry === undefined) return;
    await this.#guarded.requireStatement(entry, this.#loaded).catch((error: unknown) => {
      printError(this.#context, error);
      this.#end(`no statement about ${entry.name} is valid any more: it ends`);
    });
  }

  look(loaded: LoadedLock): void {
    this.#loaded = loaded;
    if (this.#options.dryRun) return;
    const { name } = this.#guarded.entry;
    const entry = this.#entry();
    if (entry === undefined) {
      this.#end(`${name} is not in the lock any more: it ends`);
      return;
    }
    this.#guarded.targetOf(entry).then(
      (target) => {
        if (isSameTarget(this.#guarded.target, target)) return this.prove();
        this.#end(`${name} is now pinned with a different launch: it ends`);
      },
      (error: unknown) => {
        printError(this.#context, error);
        this.#end(`${name} is not started as the lock has it now: it ends`);
      },
    );
  }

  #entry(): LockedServer | undefined {
    return this.#loaded.lock.servers.find(({ name }) => name === this.#guarded.entry.name);
  }

  #end(notice: string): void {
    if (this.#isFound) return;
    this.#isFound = true;
    printNotices(this.#context, [notice]);
    this.#resolve(true);
  }
}

/** Returns whether a promise is settled in time. */
async function within(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const late = new AbortController();
  const waited = sleep(milliseconds, false, { signal: late.signal }).catch(() => false);
  const isSettled = await Promise.race([promise.then(() => true), waited]);
  late.abort();
  return isSettled;
}

/** Forwards the signals that ask this process to end to the server. */
class Ending {
  readonly asked: Promise<NodeJS.Signals>;
  /** Stops listening to the signals. */
  readonly stop: () => void;
  #signal: NodeJS.Signals | undefined;

  constructor(context: Context, server: RunningServer) {
    let stop = (): void => undefined;
    this.asked = new Promise((resolve) => {
      stop =
        context.signals?.listen((signal) => {
          this.#signal = signal;
          void server.close(AFTER_SIGNAL);
          resolve(signal);
        }) ?? stop;
    });
    this.stop = stop;
  }

  get signal(): NodeJS.Signals | undefined {
    return this.#signal;
  }
}
