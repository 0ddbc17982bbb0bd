import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy, Screening } from "@agentprint/policy";
import type { GuardEvent } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { Step } from "./step.ts";

/** A source of time and of timers. */
export interface Clock {
  /** Returns milliseconds that never decrease. */
  now(): number;
  /** Calls a function once, after this many milliseconds. Returns the function that cancels the call. */
  after(milliseconds: number, call: () => void): () => void;
}

/** The question that asks for consent to a call. */
export interface Question {
  readonly server: string;
  readonly tool: string;
  /** One sentence without text of the server. */
  readonly reason: string;
}

/** The options of {@link createGuard}. */
export interface GuardOptions {
  readonly lock: LockFile;
  /** The name of the server in the lock. */
  readonly server: string;
  readonly policy: Policy;
  readonly onEvent?: (event: GuardEvent) => void;
  /** Takes the steps of the first connection without an incoming message, such as after an answer or a timeout. */
  readonly onOutput?: (step: Step) => void;
  /** Asks for consent if the client cannot. A rejected promise counts as no. */
  readonly ask?: (question: Question) => boolean | Promise<boolean>;
  readonly clock?: Clock;
  /** Returns unpredictable bytes. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly limits?: Partial<Limits>;
  /** Forwards messages on which the guard itself fails. Default false: refuses them. */
  readonly failOpen?: boolean;
  /** Decides and emits events, but changes nothing. Default false. */
  readonly dryRun?: boolean;
  /** The number of milliseconds for which a verified list counts. Default 60,000. */
  readonly recheckMs?: number;
  /** The screening mode, instead of the policy's. */
  readonly screen?: Screening;
}

/** The options of a further connection. */
export interface ConnectionOptions {
  /**
   * The process or the address of the server. Connections with the same peer share verdicts if the server cannot tell
   * their clients apart. Default: a peer that no other connection has.
   */
  readonly peer?: string;
  /**
   * The credentials that the client presents with every message. Only their digest is kept; a verdict counts only for
   * these credentials.
   */
  readonly authorization?: string;
  readonly onOutput?: (step: Step) => void;
  /**
   * Whether the server speaks over stdio, where it may echo an integer id as its decimal text. Default: true; a
   * transport over HTTP sets false.
   */
  readonly isStdio?: boolean;
  /** Returns the session of the transport, for events and because a verdict is valid only in its own session. */
  readonly session?: () => string | undefined;
}
