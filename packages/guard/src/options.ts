import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy, Screening } from "@agentprint/policy";
import type { GuardEvent } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { Step } from "./step.ts";

/** A source of time and of timers. */
export interface Clock {
  /** Returns milliseconds that never decrease. */
  now(): number;
  /** Calls a function once, after this many milliseconds. Returns a function that cancels the call. */
  after(milliseconds: number, call: () => void): () => void;
}

/** A question that asks for consent to a call. */
export interface Question {
  readonly server: string;
  readonly tool: string;
  /** One sentence without text from the server. */
  readonly reason: string;
}

/** Options for {@link createGuard}. */
export interface GuardOptions {
  readonly lock: LockFile;
  /** The server's name in the lock. */
  readonly server: string;
  readonly policy: Policy;
  readonly onEvent?: (event: GuardEvent) => void;
  /**
   * Receives the steps of the first connection that no incoming message caused, such as after an answer or a timeout.
   */
  readonly onOutput?: (step: Step) => void;
  /** Asks for consent if the client cannot. A rejected promise counts as no. */
  readonly ask?: (question: Question) => boolean | Promise<boolean>;
  readonly clock?: Clock;
  /** Returns unpredictable bytes. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly limits?: Partial<Limits>;
  /** Forwards messages on which the guard itself fails. Default false: refuses them. */
  readonly failOpen?: boolean;
  /** Judges and emits events, but changes nothing. Default false. */
  readonly dryRun?: boolean;
  /** The number of milliseconds for which a verified list stays valid. Default 60,000. */
  readonly recheckMs?: number;
  /** The screening mode; overrides the policy's. */
  readonly screen?: Screening;
}

/** Options for an additional connection. */
export interface ConnectionOptions {
  /**
   * The server's process or URL. Connections with the same peer share verdicts if the server cannot distinguish their
   * clients. Default: a peer that no other connection has.
   */
  readonly peer?: string;
  /**
   * The credentials that the client presents with every message. Only their digest is kept, and a verdict is valid only
   * for these credentials.
   */
  readonly authorization?: string;
  readonly onOutput?: (step: Step) => void;
  /**
   * Whether the server uses stdio, where it may echo an integer id as its decimal text. Default: true; an HTTP
   * transport sets false.
   */
  readonly isStdio?: boolean;
  /**
   * Returns the transport's session, which is used for events, and because a verdict is valid only in its own session.
   */
  readonly session?: () => string | undefined;
}
