import { isJsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import { LISTS, META } from "@agentprint/mcp";
import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy } from "@agentprint/policy";
import { checkArgument } from "./check-argument.ts";
import { Dispatcher } from "./connection/dispatcher.ts";
import { GuardCore } from "./core.ts";
import { Link } from "./link/link.ts";
import type { Output } from "./link/output.ts";
import type { ConnectionOptions, GuardOptions } from "./options.ts";
import { MessageReader } from "./read/read-message.ts";
import { NOT_LOCKED } from "./refusal.ts";
import { hasHiddenText, withoutHiddenText } from "./results/screen.ts";
import type { Message, Step } from "./step.ts";

/** A connection between one client and one server, within which message ids are unique. */
export interface Connection {
  /**
   * Judges a message from the client.
   *
   * @param headers The data, such as headers, that the server receives with messages from this client and not with
   * messages from other clients, as one text. The guard keeps only a digest of it.
   */
  fromClient(message: Message, headers?: string): Step;
  /** Judges a message from the server. */
  fromServer(message: Message): Step;
  /** Ends a client request that will get no answer, because it could not be sent or its stream is gone. */
  abandon(id: string | number): Step;
  /** Refuses the held requests, and ends the connection. Drops further messages. */
  close(): Step;
}

/** A guard between one server and its clients. The guard itself is its first connection. */
export interface Guard extends Connection {
  /** Returns another connection: for a process, an HTTP session, or a single request of the modern era. */
  connect(options?: ConnectionOptions): Connection;
  /**
   * Replaces the lock and the policy. If the server's entry or the policy changed, drops the verdicts, and notifies
   * subscribed clients that the lists changed. While the lock has no entry for the server, refuses everything.
   */
  replaceLock(lock: LockFile, policy: Policy): void;
  /**
   * Records that the transport refused a client, for example because the server's login has moved.
   *
   * @param findings The ids of the rules that explain the refusal
   * @param reason One sentence without text from the server
   */
  refused(findings: readonly string[], reason: string): void;
  /**
   * Returns a value that the server sends outside its messages, such as a header or the metadata of its authorization,
   * in the form in which clients see it: `withhold` replaces each text that hides something. Returns `undefined` if no
   * part of the value can be shown.
   */
  shown(said: JsonValue): JsonValue | undefined;
}

/**
 * Returns a guard for one server, based on the server's entry in a lock.
 *
 * @throws {@link GuardError} `not-locked` when the lock has no entry for the server, `invalid-option` when an option is
 * out of range.
 * @example
 * ```ts
 * import { createGuard } from "@agentprint/guard";
 * import { DEFAULT_POLICY } from "@agentprint/policy";
 *
 * const guard = createGuard({ lock, server: "files", policy: DEFAULT_POLICY });
 * console.log(guard.fromClient("no JSON").action); // answer
 * ```
 */
export function createGuard(options: GuardOptions): Guard {
  checkArgument("options", options, {
    ...{ lock: { servers: "array" }, server: "string", policy: { rules: "object", servers: "object" } },
    ...{ onEvent: "function?", onOutput: "function?", ask: "function?", random: "function?" },
  });
  const core = new GuardCore(options);
  const reader = new MessageReader(core.settings.limits);
  const links = new Set<Link>();
  const connect = (connection: ConnectionOptions): Connection => {
    const link = new Link(core, connection);
    const dispatcher = new Dispatcher(link, reader);
    links.add(link);
    return {
      fromClient: (message, headers) => dispatcher.fromClient(message, headers),
      fromServer: (message) => dispatcher.fromServer(message),
      abandon: (id) => link.abandon(id),
      close() {
        links.delete(link);
        return link.close();
      },
    };
  };
  const { onOutput } = options;
  return {
    ...connect(onOutput ? { onOutput } : {}),
    connect: (connection = {}) => connect(connection),
    refused: (findings, reason) => {
      core.events.emit({ kind: "refused", from: "guard", outcome: "refused", findings, reason });
    },
    shown: (said) => shown(core, said),
    replaceLock(lock, policy) {
      const isReplaced = core.replaceLock(lock, policy);
      for (const link of [...links]) {
        if (!core.lock.isLocked) link.later((out) => link.refuseHeld(NOT_LOCKED, out));
        else if (isReplaced) link.later((out) => tellChanged(link, out));
      }
      core.events.emit({ kind: "replaced", from: "guard", outcome: "changed" });
    },
  };
}

function shown(core: GuardCore, said: JsonValue): JsonValue | undefined {
  const { hiddenTexts } = core.lock.world;
  if (core.lock.screen === "off" || !hasHiddenText(said, hiddenTexts)) return said;
  const left = core.lock.screen === "withhold" ? withoutHiddenText({ said }, hiddenTexts)?.["said"] : said;
  const outcome = left === undefined ? "refused" : left === said ? "passed" : "changed";
  const reason = "the server sends it outside its messages";
  core.events.emit({ kind: "passed", from: "server", outcome, findings: ["guard/hidden-text"], reason });
  return left;
}

/** Notifies a client of a change to every list that it subscribed to. */
function tellChanged(link: Link, out: Output): void {
  const kinds = [...new Map(LISTS.map((kind) => [kind.changed.method, kind])).values()];
  for (const { changed, capability } of kinds) {
    if (announcesChanges(link.serverCapabilities[capability]))
      link.write(out, "client", { jsonrpc: "2.0", method: changed.method });
    for (const [id, filter] of link.subscriptions) {
      if (filter[changed.filter] !== true) continue;
      const params = { _meta: { [META.subscriptionId]: id } };
      link.write(out, "client", { jsonrpc: "2.0", method: changed.method, params });
    }
  }
}

/** Returns whether, in the handshake, a server stated for a capability that it announces changes. */
function announcesChanges(said: JsonValue | undefined): boolean {
  return isJsonObject(said) && said["listChanged"] === true;
}
