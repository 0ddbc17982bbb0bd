import { randomUUID } from "node:crypto";
import { parseJson } from "@agentprint/canonical-json";
import { isJsonObject } from "@agentprint/canonical-json/json-value";
import { canonicalize } from "@agentprint/trail/record";
import type { TrailStore } from "@agentprint/trail-store";
import { takenOver } from "./lease.ts";
import { MACHINE, type Writer } from "./machine.ts";

/** The task whose chain lists a database's sessions: their starts, their writers, and their ends or reports. */
export const SESSIONS_TASK = "agentprint sessions";
/**
 * In milliseconds. How often a writer lists its session again, so that other machines know that it is still running.
 */
const RENEW_EVERY = 6 * 3_600_000;
/** In milliseconds. Groups within this time need no check between them. */
const LOOK_EVERY = 1_000;

/** The content of a listing; anyone with write access to the store may have written it. */
type Listing = { readonly [Name in "machine" | "nonce" | "pid" | "session" | "state"]?: unknown };

/** A session that has no end in the list. */
export interface OpenSession extends Writer {
  readonly session: string;
  /** How many times it was listed as open. */
  readonly turns: number;
  /** When it was last listed, in milliseconds since 1970. */
  readonly begun: number;
}

/**
 * A database's sessions, and this process's right to acknowledge its own records. Each listing has an id, and an id is
 * stored only once, so if several processes list a session's next turn, only one succeeds.
 */
export class SessionList {
  readonly #store: TrailStore;
  readonly #session: string;
  readonly #agentId: string;
  readonly #renewing: NodeJS.Timeout;
  /** Distinguishes the listings of two sessions in one process, because identical listings would both succeed. */
  readonly #nonce = randomUUID();
  /** The turn of this session's next listing. */
  #turns = 0;
  #looked = 0;
  #isLost = false;

  constructor(store: TrailStore, session: string, agentId: string) {
    this.#store = store;
    this.#session = session;
    this.#agentId = agentId;
    this.#renewing = setInterval(() => void this.#renew().catch(() => {}), RENEW_EVERY).unref();
  }

  /** Lists this process's session; resolves to `false` if the store already has a session with this name. */
  begin(): Promise<boolean> {
    return this.claim(this.#session, 0);
  }

  /** Adds a listing that this process owns a session from now on; resolves to `false` if another process was faster. */
  claim(session: string, turn: number): Promise<boolean> {
    const listing = { session, state: "open", pid: process.pid, machine: MACHINE, nonce: this.#nonce };
    return this.#add(openId(session, turn), listing);
  }

  /** Adds a listing that a session ended or was reported; a second such listing changes nothing. */
  async finish(session: string, state: "ended" | "told"): Promise<void> {
    await this.#add(`${session}.${state}`, { session, state });
  }

  /**
   * Checks that no other process has taken over this session.
   *
   * @throws {@link RecorderError} `taken-over`.
   */
  async hold(): Promise<void> {
    if (this.#isLost) throw takenOver(this.#session);
    const now = Date.now();
    if (Math.abs(now - this.#looked) < LOOK_EVERY) return;
    for (;;) {
      const next = await this.#store.get(SESSIONS_TASK, openId(this.#session, this.#turns));
      if (next === null) break;
      const { nonce } = parseListing(next.content);
      this.#isLost = nonce !== this.#nonce;
      if (this.#isLost) throw takenOver(this.#session);
      this.#turns++;
    }
    this.#looked = now;
  }

  /** Returns the other sessions that are listed as open. */
  async openSessions(): Promise<readonly OpenSession[]> {
    const open = new Map<string, OpenSession>();
    for await (const { content, timestamp } of this.#store.read(SESSIONS_TASK)) {
      const { session, state, pid, machine } = parseListing(content);
      if (typeof session !== "string" || session === "" || session === this.#session) continue;
      if (state !== "open") open.delete(session);
      else if (typeof pid === "number" && typeof machine === "string") {
        const turns = (open.get(session)?.turns ?? 0) + 1;
        open.set(session, { session, pid, machine, turns, begun: Date.parse(timestamp) });
      }
    }
    return [...open.values()];
  }

  stop(): void {
    clearInterval(this.#renewing);
  }

  /** Lists the session again. If another process was faster, the next scan finds its listing. */
  async #renew(): Promise<void> {
    await this.claim(this.#session, Math.max(1, this.#turns));
  }

  async #add(id: string, listing: object): Promise<boolean> {
    try {
      const content = canonicalize(listing);
      await this.#store.append({ id, type: "reflection", task_id: SESSIONS_TASK, agent_id: this.#agentId, content });
      return true;
    } catch (error) {
      if ((error as { code?: unknown }).code === "id-conflict") return false;
      throw error;
    }
  }
}

function openId(session: string, turn: number): string {
  return turn === 0 ? `${session}.open` : `${session}.open${turn}`;
}

function parseListing(content: string): Listing {
  try {
    const value = parseJson(content);
    return isJsonObject(value) ? (value as Listing) : {};
  } catch {
    return {};
  }
}
