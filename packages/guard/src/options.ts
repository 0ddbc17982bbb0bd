import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy, Screening } from "@agentprint/policy";
import type { Clock } from "./clock.ts";
import type { GuardEvent } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { Step } from "./step.ts";

/** What somebody is asked before a call goes on. */
export interface Question {
  readonly server: string;
  readonly tool: string;
  /** One sentence without text of the server. */
  readonly reason: string;
}

/** How {@link createGuard} guards one server. */
export interface GuardOptions {
  readonly lock: LockFile;
  /** The name of the server in the lock. */
  readonly server: string;
  readonly policy: Policy;
  readonly onEvent?: (event: GuardEvent) => void;
  /** Takes what ends without a message: a callback that answered, a time that is over. For the first connection. */
  readonly onOutput?: (step: Step) => void;
  /** Asks somebody where the client cannot. A promise that rejects counts as no. */
  readonly ask?: (question: Question) => boolean | Promise<boolean>;
  readonly clock?: Clock;
  /** Unpredictable bytes. */
  readonly random?: (bytes: number) => Uint8Array;
  readonly limits?: Partial<Limits>;
  /** Forwards what the guard itself fails on. Default false: it is refused. */
  readonly failOpen?: boolean;
  /** Decides and tells, and changes nothing. Default false. */
  readonly dryRun?: boolean;
  /** A verified list counts for this many milliseconds. Default 60,000. */
  readonly recheckMs?: number;
  /** How hidden text is treated, in place of what the policy says. */
  readonly screen?: Screening;
}

/** Whom a further connection is for. */
export interface ConnectionOptions {
  /**
   * The process or the address of the server that the connection speaks with. What was verified counts for all connections with the same one
   * whose messages the server cannot tell apart by what comes with them. Default: the connection alone.
   */
  readonly peer?: string;
  /** The credentials that the client presents with every message. Only their digest is kept; a verdict counts for these credentials alone. */
  readonly authorization?: string;
  readonly onOutput?: (step: Step) => void;
  /** The session of the transport: for events, and because what was verified in one counts in no other. */
  readonly session?: () => string | undefined;
}
