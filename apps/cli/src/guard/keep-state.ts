import type { GuardEvent } from "@agentprint/guard";
import { readLock } from "../lock/read-lock.ts";
import type { Context } from "../run/context.ts";
import { reasonOf } from "../run/errors.ts";
import { printNotices } from "../terminal/notices.ts";
import type { GuardCommandOptions } from "./guard-options.ts";
import type { Observer } from "./observer.ts";
import { type ServerState, unreadState, writeStates } from "./state-file.ts";

/** How long a written state is kept while listings stay the same, in milliseconds. */
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

  readonly onEvent = ({ kind, server, tools, digests, time, method, outcome }: GuardEvent): void => {
    // After the lock is replaced, the known states belong to a different file.
    if (kind === "replaced") this.#kept.clear();
    const couldNotTell = kind === "listing" && method === "tools/list" && outcome === "refused";
    if (tools === undefined && !couldNotTell) return;
    const state: ServerState = {
      // In a dry run, clients are given the live definitions, as a check sees them.
      by: this.#options.dryRun ? "check" : "guard",
      digest: digests.lock,
      verifiedAt: new Date(time).toISOString(),
      tools: Object.fromEntries(tools ?? []),
      ...(couldNotTell && { couldNotTell }),
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
        // The lock file can be newer than the guard's lock, and a comparison with a different entry is void.
        if (entry?.digest !== state.digest) return [];
        if (state.couldNotTell) return [[server, unreadState(entry, new Date(state.verifiedAt))]];
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
        printNotices(this.#context, [`the verdicts are not kept for a client's hook: ${reasonOf(error)}`]);
      }
      this.#hasFailed = true;
    }
  }
}

function isSame(one: ServerState, other: ServerState): boolean {
  const names = Object.keys(one.tools);
  return (
    one.digest === other.digest &&
    one.couldNotTell === other.couldNotTell &&
    names.length === Object.keys(other.tools).length &&
    names.every((name) => one.tools[name] === other.tools[name])
  );
}
