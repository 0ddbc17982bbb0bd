import { type Era, RPC_ERROR, type SessionAnswers, type View } from "@agentprint/mcp";
import type { Channel, LoggedLines } from "./channel/channel.ts";
import { VisitError } from "./errors.ts";
import { NoEra } from "./no-era.ts";
import { readSession } from "./reading/read-session.ts";
import { answerAsVisitor } from "./session/client-answers.ts";
import { type ClientProfile, isBare } from "./session/client-profiles.ts";
import { createChannel, createSseChannel, withStderr } from "./session/connection.ts";
import { withDeadline } from "./session/deadline.ts";
import { EraWatch, silence } from "./session/era-watch.ts";
import { askInOtherEra, type Greeting, greet } from "./session/greet.ts";
import { Session } from "./session/session.ts";
import type { Survivor } from "./survivor.ts";
import type { VisitTarget } from "./target.ts";
import type { VisitOptions } from "./visit-options.ts";

/** The watches that a session uses: its own era's, and the other one's. */
interface SessionWatch {
  readonly own: EraWatch;
  /** The watch of the other era, if both are visited. */
  readonly other: EraWatch | undefined;
  readonly onOpen: () => void;
  readonly heard: Heard;
}

/**
 * Thrown if a process answered its era's greeting after it was sent the other era's, which may have bound it to the
 * other era.
 */
class OnlySlow extends Error {}

/**
 * How the eras of a view are visited: at the same time, each in its own process, or in turn, so that only one process
 * runs at a time. `retrying` means at the same time, and then in turn if no era answered and a process ended, as
 * happens if a server finds its port taken.
 */
export type EraOrder = "at-once" | "in-turn" | "retrying";

/** The answers in one view, until it is known whether the view is visited again. */
interface Heard {
  readonly tellings: (() => void)[];
  readonly logged: LoggedLines[];
}

/** All sessions of a visit, which end together. */
export class Visit {
  readonly #target: VisitTarget;
  readonly #options: VisitOptions;
  readonly #version: string | undefined;
  readonly #sessions = new Set<Session>();
  readonly #running: Promise<unknown>[] = [];
  readonly #survivors: Survivor[] = [];
  /** The sentences that were reported. */
  readonly #noted = new Set<string>();
  /** The answers, in the order in which the views were visited. */
  #heard: Heard[] = [];
  #isOver = false;
  #hasEnded = false;

  constructor(target: VisitTarget, options: VisitOptions, version: string | undefined) {
    this.#target = target;
    this.#options = options;
    this.#version = version;
  }

  /**
   * Whether a process ended without a greeting, as happens if another process holds a resource that cannot be shared.
   */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Waits for a visit within its limits, and returns the reason for its failure, if any. */
  async run(visiting: Promise<void>): Promise<unknown> {
    const { signal, limits } = this.#options;
    const aborted = new Promise<never>((_, reject) => {
      const abort = (): void => reject(new VisitError("aborted", "the visit was cancelled", { cause: signal?.reason }));
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
    try {
      const ending = Promise.race([visiting, aborted]);
      await withDeadline(ending, limits.totalTimeout, "within the time for a complete visit", "totalTimeout");
      return undefined;
    } catch (error) {
      return error;
    }
  }

  #note(sentence: string): void {
    if (this.#noted.has(sentence)) return;
    this.#noted.add(sentence);
    this.#options.onNote?.(sentence);
  }

  /** Ends every session, reports its notes, and returns the processes that could not be ended. */
  async end(): Promise<readonly Survivor[]> {
    this.#isOver = true;
    for (const session of this.#sessions) session.fail(new VisitError("aborted", "the visit is over"));
    await Promise.allSettled(this.#running);
    for (const { tellings } of this.#heard) for (const tell of tellings) tell();
    return this.#survivors;
  }

  /** Returns the log output of all sessions. */
  get logged(): LoggedLines | undefined {
    const all = this.#heard.flatMap(({ logged }) => logged);
    return all[0] && { count: all.reduce((sum, { count }) => sum + count, 0), first: all[0].first };
  }

  /** Ends everything that is still running, and discards the notes, because every view is visited again. */
  async startAgain(): Promise<void> {
    for (const session of this.#sessions) session.fail(new VisitError("aborted", "the server is visited again"));
    await Promise.allSettled(this.#running);
    this.#heard = [];
  }

  /** Visits a server in one view, in each era. */
  async eras(view: View, profile: ClientProfile, eras: readonly Era[], order: EraOrder): Promise<SessionAnswers[]> {
    const heard: Heard = { tellings: [], logged: [] };
    this.#heard.push(heard);
    const watches = {
      legacy: new EraWatch(this.#options.probeTimeout),
      modern: new EraWatch(this.#options.probeTimeout),
    };
    const missing: Partial<Record<Era, NoEra>> = {};
    let opening = eras.length;
    const onOpen = (): void => {
      if (--opening === 0) this.#options.onOpen?.();
    };
    const ask = async (era: Era): Promise<SessionAnswers[]> => {
      const other = eras.length > 1 ? watches[era === "legacy" ? "modern" : "legacy"] : undefined;
      try {
        return [await this.#era(era, view, profile, { own: watches[era], other, onOpen, heard })];
      } catch (error) {
        if (!(error instanceof NoEra)) throw error;
        missing[era] = error;
        if (error.reason.code === "server-ended") this.#hasEnded = true;
        return [];
      }
    };
    const sessions = await this.#inOrder(eras, ask, order);
    // Most servers support the handshake era, so its refusal is more informative than the other era's.
    const refusal = missing.legacy ?? missing.modern;
    if (sessions.length > 0 || refusal === undefined) return sessions;
    if (order !== "retrying" || !this.#hasEnded || eras.length === 1) throw refusal.reason;
    this.#heard.pop();
    return this.eras(view, profile, eras, "in-turn");
  }

  async #inOrder(
    eras: readonly Era[],
    ask: (era: Era) => Promise<SessionAnswers[]>,
    order: EraOrder,
  ): Promise<SessionAnswers[]> {
    const running = (era: Era): Promise<SessionAnswers[]> => {
      const asked = ask(era);
      this.#running.push(asked);
      return asked;
    };
    if (order !== "in-turn") return (await Promise.all(eras.map(running))).flat();
    const sessions: SessionAnswers[] = [];
    for (const era of eras) sessions.push(...(await running(era)));
    return sessions;
  }

  async #era(era: Era, view: View, profile: ClientProfile, watch: SessionWatch): Promise<SessionAnswers> {
    const create = (): Channel => this.#channel(era, profile);
    const visit = (channel: Channel): Promise<SessionAnswers> => this.#visit(channel, era, view, profile, watch);
    try {
      return await visit(create());
    } catch (error) {
      if (error instanceof OnlySlow) {
        const alone = { ...watch, other: undefined };
        return await this.#visit(create(), era, view, profile, alone);
      }
      const sse =
        era === "legacy" ? createSseChannel(this.#target, profile, this.#options.limits.maxBytes, error) : undefined;
      if (sse === undefined) throw error;
      return await visit(sse).catch((second: unknown) => {
        // If the server supports neither transport, the refusal of the newer one is more informative.
        throw second instanceof NoEra ? error : second;
      });
    }
  }

  #channel(era: Era, profile: ClientProfile): Channel {
    const { channel, limits } = this.#options;
    const given = channel?.(this.#target, era, profile, limits.maxBytes);
    return given ?? createChannel(this.#target, era, profile, limits.maxBytes);
  }

  async #visit(
    channel: Channel,
    era: Era,
    view: View,
    profile: ClientProfile,
    watch: SessionWatch,
  ): Promise<SessionAnswers> {
    if (this.#isOver) throw new VisitError("aborted", "the visit is over");
    const { clientInfo, capabilities } = profile;
    const { heard } = watch;
    const answer = answerAsVisitor(capabilities);
    const onNote = (sentence: string): void => void heard.tellings.push(() => this.#note(sentence));
    const onFault = (reason: string): void => onNote(`agentprint guard refuses a message from the server: ${reason}`);
    const session = new Session(channel, { era, clientInfo, capabilities, answer, onFault, onNote });
    this.#sessions.add(session);
    try {
      const startedAt = performance.now();
      const greeting = await this.#greet(session, profile, startedAt, watch);
      const firstAnswer = (session.firstAnswerAt ?? startedAt) - startedAt;
      watch.own.greeted(firstAnswer);
      const options = this.#options;
      const answers = await readSession({
        session,
        view,
        greeting,
        bare: isBare(profile),
        options,
        silence: silence(firstAnswer, options.probeTimeout),
        warn: (sentence) => void heard.tellings.push(() => options.warn?.(sentence)),
        note: onNote,
      });
      watch.own.finished();
      return answers;
    } catch (error) {
      throw withStderr(error, channel);
    } finally {
      this.#sessions.delete(session);
      session.fail(new VisitError("aborted", "the session is over"));
      this.#survivors.push(...(await channel.close()));
      const logged = channel.logged();
      if (logged) heard.logged.push(logged);
    }
  }

  async #greet(
    session: Session,
    profile: ClientProfile,
    startedAt: number,
    { other, onOpen }: SessionWatch,
  ): Promise<Greeting> {
    const { limits } = this.#options;
    const greeted = async (): Promise<Greeting> => {
      await session.open(limits.connectTimeout);
      onOpen();
      return greet(session, profile, limits, this.#version);
    };
    let isBound = false;
    const silent = other?.silenceOfOther(startedAt).then(async (doubt): Promise<never> => {
      if (this.#target.type === "stdio") {
        isBound = true;
        await askInOtherEra(session, profile, doubt);
      }
      throw new NoEra(new VisitError("server-timeout", `the server does not support the ${session.era} era`));
    });
    try {
      const greeting = await (silent === undefined ? greeted() : Promise.race([greeted(), silent]));
      if (isBound) throw new OnlySlow();
      return greeting;
    } catch (error) {
      if (error instanceof VisitError && error.code === "server-timeout") throw new NoEra(error);
      const refused = error instanceof VisitError && error.details.rpcCode === RPC_ERROR.missingClientCapability;
      if (refused && isBare(profile)) throw new NoEra(error);
      throw error;
    }
  }
}
