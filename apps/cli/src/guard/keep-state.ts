import type { GuardEvent } from "@agentprint/guard";
import { readLock } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { Observer } from "./observer.ts";
import { type ServerState, writeStates } from "./state-file.ts";

/** The time for which a written state stands while listings stay the same, in milliseconds. */
const KEPT_FOR = 10 * 60 * 1000;

/** Writes the guards' verdicts on the tools of their servers, for the hooks of clients. */
export class StateKeeper implements Observer {
  readonly #context: Context;
  readonly #options: Pick<GuardCommandOptions, "lock" | "dryRun">;
  /** The states that are written or about to be, by server name. */
  readonly #kept = new Map<string, ServerState>();
  readonly #waiting = new Map<string, ServerState>();
  #writing: Promise<void> = Promise.resolve();
  #hasFailed = false;

  constructor(context: Context, options: Pick<GuardCommandOptions, "lock" | "dryRun">) {
    this.#context = context;
    this.#options = options;
  }

  readonly onEvent = ({ kind, server, tools, digests, time }: GuardEvent): void => {
    // After the lock is replaced, the known states belong to another file.
    if (kind === "replaced") this.#kept.clear();
    if (tools === undefined) return;
    const state: ServerState = {
      // In a dry run, clients are given the live definitions, as a check sees them.
      by: this.#options.dryRun ? "check" : "guard",
      digest: digests.lock,
      verifiedAt: new Date(time).toISOString(),
      tools: Object.fromEntries(tools),
    };
    const kept = this.#kept.get(server);
    if (kept && time - Date.parse(kept.verifiedAt) < KEPT_FOR && isSame(kept, state)) return;
    this.#kept.set(server, state);
    this.#waiting.set(server, state);
    if (this.#waiting.size === 1) this.#writing = this.#writing.then(() => this.#write());
  };

  readonly close = (): Promise<void> => this.#writing;

  async #write(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    const { lock: file } = this.#options;
    try {
      const read = await readLock(this.#context, file);
      const states = waiting.flatMap(([server, state]): [string, ServerState][] => {
        const entry = read.lock.servers.find(({ name }) => name === server);
        // The lock file can be newer than the guard's lock: a comparison with another entry is void.
        if (entry?.digest !== state.digest) return [];
        const locked = new Set(entry.tools.map(({ definition }) => definition["name"]));
        // A blocked tool outside the lock counts as absent.
        const tools = Object.entries(state.tools).filter(([tool, found]) => found !== "block" || locked.has(tool));
        return [[server, { ...state, tools: Object.fromEntries(tools) }]];
      });
      if (states.length > 0) await writeStates(this.#context, file, read.text, Object.fromEntries(states));
      this.#hasFailed = false;
    } catch (error) {
      for (const [server, state] of waiting) if (this.#kept.get(server) === state) this.#kept.delete(server);
      if (!this.#hasFailed) {
        printNotices(this.#context, [`what was verified is not kept for the hook of a client: ${reasonOf(error)}`]);
      }
      this.#hasFailed = true;
    }
  }
}

function isSame(one: ServerState, other: ServerState): boolean {
  const names = Object.keys(one.tools);
  return (
    one.digest === other.digest &&
    names.length === Object.keys(other.tools).length &&
    names.every((name) => one.tools[name] === other.tools[name])
  );
}
