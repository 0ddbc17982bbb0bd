import type { Guard } from "@agentprint/guard";
import { type Endpoint, RefusingEndpoint, type Route } from "@agentprint/guard-proxy/http";
import type { LockedServer } from "@agentprint/mcp-lock/lock";
import type { Context } from "../run/context.ts";
import { printNotices } from "../terminal/notices.ts";
import { printError } from "../terminal/report-error.ts";
import { type GuardedServer, isSameTarget, type Target } from "./guarded-target.ts";
import type { LoadedLock } from "./load-lock.ts";
import { replaceLock } from "./make-guard.ts";

/** The pause before an unreachable server is tried again, in milliseconds. */
const LOOK = 500;

/** Creates the endpoint of a server; `inForce` returns the lock for each start of the server. */
export type MakeEndpoint = (target: Target, inForce: () => LoadedLock) => Endpoint;

/**
 * The route to a server, as the lock in force describes it. The route refuses all messages if the lock has no entry for
 * the server, or one that cannot be started.
 */
export class GuardedRoute implements Route {
  readonly #context: Context;
  readonly #server: GuardedServer;
  readonly #guard: Guard;
  readonly #isDryRun: boolean;
  readonly #makeEndpoint: (target: Target) => Endpoint;
  /** The lock in force; in a dry run, the last one that contains the server. */
  #startedBy: LoadedLock;
  #entry: LockedServer;
  #loaded: LoadedLock;
  /** The target in use; `undefined` while the server must not be reached. */
  #target: Target | undefined;
  #endpoint: Endpoint;
  /** The reason why the server cannot be reached by the lock in force, and when this was found. */
  #failure: { readonly text: string; readonly at: number } | undefined;
  #looking: Promise<void> | undefined;

  constructor(
    context: Context,
    server: GuardedServer,
    { guard, loaded, isDryRun }: { readonly guard: Guard; readonly loaded: LoadedLock; readonly isDryRun: boolean },
    makeEndpoint: MakeEndpoint,
  ) {
    this.#context = context;
    this.#server = server;
    this.#guard = guard;
    this.#isDryRun = isDryRun;
    this.#startedBy = loaded;
    this.#makeEndpoint = (target) => makeEndpoint(target, () => this.#startedBy);
    this.#entry = server.entry;
    this.#loaded = loaded;
    this.#target = server.target;
    this.#endpoint = this.#makeEndpoint(server.target);
  }

  get endpoint(): Endpoint {
    return this.#endpoint;
  }

  /** The entry of the server in the lock in force, or else its last entry. */
  get entry(): LockedServer {
    return this.#entry;
  }

  get passesAuthorization(): boolean {
    return this.#server.passesAuthorization;
  }

  get url(): string | undefined {
    return this.#target?.type === "http" ? this.#target.url : undefined;
  }

  /** Replaces the lock and the policy from now on. */
  replaceLock(loaded: LoadedLock): void {
    this.#loaded = loaded;
    this.#failure = undefined;
    const entry = loaded.lock.servers.find(({ name }) => name === this.#entry.name);
    if (this.#isDryRun) {
      this.#guardBy(loaded, entry);
    } else if (entry === undefined) {
      this.#end(`${this.#entry.name} is not in the lock any more: it is refused, and its processes end`);
      this.#guardBy(loaded, entry);
    } else {
      void this.#follow(loaded, entry);
    }
  }

  /**
   * Verifies the statement that the policy requires again. The route refuses all messages while no statement is valid.
   */
  async prove(): Promise<void> {
    const loaded = this.#loaded;
    const entry = loaded.lock.servers.find(({ name }) => name === this.#entry.name);
    if (this.#target === undefined || entry === undefined) return;
    await this.#server.requireStatement(entry, loaded).catch((error: unknown) => {
      if (loaded === this.#loaded) this.#failed(loaded, entry, error);
    });
  }

  async look(): Promise<void> {
    const { lock } = this.#loaded;
    const entry = lock.servers.find(({ name }) => name === this.#entry.name);
    if (this.#target !== undefined || entry === undefined) return;
    // A flood of requests must not read the files more often than this.
    if (this.#failure !== undefined && Date.now() - this.#failure.at < LOOK && Date.now() >= this.#failure.at) return;
    this.#looking ??= this.#follow(this.#loaded, entry).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  /** Reaches the server with the current lock. */
  async #follow(loaded: LoadedLock, entry: LockedServer): Promise<void> {
    try {
      const target = await this.#server.targetOf(entry);
      if (loaded !== this.#loaded) return;
      if (this.#target === undefined || !isSameTarget(this.#target, target)) {
        await this.#server.requireFiles(entry, target, loaded);
        if (loaded !== this.#loaded) return;
        if (this.#target) this.#end(`${entry.name} is now pinned with a different launch: its processes end`);
        this.#target = target;
        this.#endpoint = this.#makeEndpoint(target);
      }
      await this.#server.requireStatement(entry, loaded);
      if (loaded !== this.#loaded) return;
      this.#failure = undefined;
      this.#guardBy(loaded, entry);
    } catch (error) {
      if (loaded === this.#loaded) this.#failed(loaded, entry, error);
    }
  }

  /** Closes a server that the lock does not allow to be reached, until its files match the lock again. */
  #failed(loaded: LoadedLock, { name }: LockedServer, error: unknown): void {
    const text = error instanceof Error ? error.message : "";
    const isNew = this.#failure === undefined;
    if (this.#failure?.text !== text) printError(this.#context, error);
    this.#failure = { text, at: Date.now() };
    this.#end(`${name} cannot be started as the lock has it now: it is refused`);
    if (!isNew) return;
    const servers = loaded.lock.servers.filter((each) => each.name !== name);
    replaceLock(this.#guard, name, { ...loaded, lock: { ...loaded.lock, servers } });
  }

  /** Makes the guard and the next starts of the server use a new lock. */
  #guardBy(loaded: LoadedLock, entry: LockedServer | undefined): void {
    if (entry !== undefined) this.#entry = entry;
    if (!this.#isDryRun || entry !== undefined) this.#startedBy = loaded;
    replaceLock(this.#guard, this.#entry.name, loaded);
  }

  /** Stops all traffic of the server, and ends its processes. */
  #end(notice: string): void {
    if (this.#target === undefined) return;
    this.#target = undefined;
    const ended = this.#endpoint;
    this.#endpoint = new RefusingEndpoint(this.#guard);
    printNotices(this.#context, [notice]);
    ended.close().catch((error: unknown) => printError(this.#context, error));
  }
}
