import {
  type Era,
  eraOf,
  LEGACY_VERSIONS,
  MODERN_VERSIONS,
  RPC_ERROR,
  type SessionAnswers,
  type View,
  type VisitAnswers,
} from "@agentprint/mcp";
import type { Channel, LoggedLines } from "./channel/channel.ts";
import { checkArgument, checkTarget } from "./check-argument.ts";
import { VisitError } from "./errors.ts";
import { NoEra } from "./no-era.ts";
import { requireNoSurvivors } from "./process/survivors-error.ts";
import { readSession } from "./reading/read-session.ts";
import { answerAsVisitor } from "./session/client-answers.ts";
import { type ClientProfile, isBare, profileOf, requireProfile } from "./session/client-profiles.ts";
import { createChannel, createSseChannel, withStderr } from "./session/connection.ts";
import { withDeadline } from "./session/deadline.ts";
import { EraWatch, silence } from "./session/era-watch.ts";
import { askInOtherEra, type Greeting, greet } from "./session/greet.ts";
import { Session } from "./session/session.ts";
import type { Survivor } from "./survivor.ts";
import type { VisitTarget } from "./target.ts";
import type { VisitOptions } from "./visit-options.ts";

/**
 * Visits a server in each era that it speaks and in each view of the options, and returns its answers raw. Both eras are
 * visited at the same time, each in its own process; the views follow each other.
 *
 * A server must speak at least one era. An era is missing only where the server refuses its first request, ends, or is
 * silent while the other era answers. Any other failure fails the whole visit.
 *
 * @throws {@link VisitError} `invalid-target`, `server-not-started`, `server-unreachable` when the launch cannot be used.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-garbage`, `server-error`, `server-limit`,
 * `server-unstable` when the server does not tell what it offers.
 * @throws {@link VisitError} `server-survived` when processes of the server could not be ended.
 * @throws {@link VisitError} `aborted` when `options.signal` aborts.
 *
 * @example
 * ```ts
 * import { DEFAULT_LIMITS, DEFAULT_SETTLE, visitServer } from "@agentprint/mcp-visit";
 *
 * const launch = { type: "stdio" as const, command: "node", args: ["no-server.js"], env: [] };
 * const visit = visitServer(
 *   { type: "stdio", launch, command: "node", args: launch.args, env: {} },
 *   {
 *     client: "claude-code",
 *     views: ["client", "bare"],
 *     protocol: "auto",
 *     settle: DEFAULT_SETTLE,
 *     contents: false,
 *     limits: DEFAULT_LIMITS,
 *   },
 * );
 * console.log(await visit.catch((error) => error.code)); // server-ended
 * ```
 */
export async function visitServer(target: VisitTarget, options: VisitOptions): Promise<VisitAnswers> {
  checkTarget("target", target);
  checkArgument("options", options, "object");
  const client = requireProfile(options);
  const { eras, version } = requireEras(options.protocol);
  const visit = new Visit(target, options, version);
  const sessions: SessionAnswers[] = [];
  const visiting = async (): Promise<void> => {
    for (const view of options.views) sessions.push(...(await visit.eras(view, profileOf(view, client), eras)));
  };
  const failed = await visit.run(visiting());
  const survivors = await visit.end();
  requireNoSurvivors(survivors, failed);
  if (failed !== undefined) throw failed;
  if (visit.logged) options.onLogged?.(visit.logged);
  return { launch: target.launch, client: client.id, clientCapabilities: client.capabilities, sessions };
}

/** The watches of a session: its own era, and the other one. */
interface SessionWatch {
  readonly own: EraWatch;
  /** Of the other era, where both are visited. */
  readonly other: EraWatch | undefined;
  readonly onOpen: () => void;
}

/** A process answered its era's greeting after the other era's, which may have bound it to the other era. */
class OnlySlow extends Error {}

/** The sessions of one visit, so that they end together. */
class Visit {
  readonly #target: VisitTarget;
  readonly #options: VisitOptions;
  readonly #version: string | undefined;
  readonly #sessions = new Set<Session>();
  readonly #running: Promise<unknown>[] = [];
  readonly #survivors: Survivor[] = [];
  /** The sentences that were said. */
  readonly #noted = new Set<string>();
  /** The lines of log of all sessions. */
  logged: LoggedLines | undefined;

  constructor(target: VisitTarget, options: VisitOptions, version: string | undefined) {
    this.#target = target;
    this.#options = options;
    this.#version = version;
  }

  /** Waits for a visit within its limits, and returns the reason of its failure. */
  async run(visiting: Promise<void>): Promise<unknown> {
    const { signal, limits } = this.#options;
    const aborted = new Promise<never>((_, reject) => {
      const abort = (): void =>
        reject(new VisitError("aborted", "the visit was called off", { cause: signal?.reason }));
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
    try {
      const ending = Promise.race([visiting, aborted]);
      await withDeadline(ending, limits.totalTimeout, "within the time for a whole visit", "totalTimeout");
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

  /** Ends every session, and returns the processes that could not be ended. */
  async end(): Promise<readonly Survivor[]> {
    for (const session of this.#sessions) session.fail(new VisitError("aborted", "the visit is over"));
    await Promise.allSettled(this.#running);
    return this.#survivors;
  }

  async eras(view: View, profile: ClientProfile, eras: readonly Era[]): Promise<SessionAnswers[]> {
    const watches = {
      legacy: new EraWatch(this.#options.probeTimeout),
      modern: new EraWatch(this.#options.probeTimeout),
    };
    const missing: Partial<Record<Era, NoEra>> = {};
    let opening = eras.length;
    const onOpen = (): void => {
      if (--opening === 0) this.#options.onOpen?.();
    };
    const visits = eras.map(async (era): Promise<SessionAnswers[]> => {
      const other = eras.length > 1 ? watches[era === "legacy" ? "modern" : "legacy"] : undefined;
      try {
        return [await this.#era(era, view, profile, { own: watches[era], other, onOpen })];
      } catch (error) {
        if (!(error instanceof NoEra)) throw error;
        missing[era] = error;
        return [];
      }
    });
    this.#running.push(...visits);
    const sessions = (await Promise.all(visits)).flat();
    // Most servers speak the handshake era, so its refusal says more than the other era's.
    const refusal = missing.legacy ?? missing.modern;
    if (sessions.length > 0 || refusal === undefined) return sessions;
    throw refusal.reason;
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
        // If the server speaks neither transport, the refusal of the newer one says more.
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
    const { clientInfo, capabilities } = profile;
    const answer = answerAsVisitor(capabilities);
    const onFault = (reason: string): void => this.#note(`agentprint guard refuses a message of the server: ${reason}`);
    const onNote = (sentence: string): void => this.#note(sentence);
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
        warn: (sentence) => options.warn?.(sentence),
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
      const [before, logged] = [this.logged, channel.logged()];
      if (logged) this.logged = { count: (before?.count ?? 0) + logged.count, first: before?.first ?? logged.first };
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
      throw new NoEra(new VisitError("server-timeout", `the server does not speak the ${session.era} era`));
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

function requireEras(protocol: string): { readonly eras: readonly Era[]; readonly version: string | undefined } {
  if (protocol === "auto") return { eras: ["legacy", "modern"], version: undefined };
  if (protocol === "legacy" || protocol === "modern") return { eras: [protocol], version: undefined };
  const era = eraOf(protocol);
  if (era !== undefined) return { eras: [era], version: protocol };
  throw new VisitError("invalid-target", `the protocol version ${protocol} is not supported`, {
    expected: ["auto", ...MODERN_VERSIONS, ...LEGACY_VERSIONS].join(", "),
  });
}
