import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json/json-value";
import type { LockFile } from "@agentprint/mcp-lock";
import type { Policy } from "@agentprint/policy";
import { Dispatcher } from "./connection/dispatcher.ts";
import { Link, NOT_LOCKED } from "./connection/link.ts";
import type { Output } from "./connection/output.ts";
import { GuardCore } from "./core.ts";
import type { ConnectionOptions, GuardOptions } from "./options.ts";
import { hasHiddenText, withoutHiddenText } from "./results/screen.ts";
import type { Message, Step } from "./step.ts";
import { LISTS, type ListKind } from "./verify/lists.ts";

/** One client and one server that speak with each other: ids of messages belong to a connection. */
export interface Connection {
  /**
   * Judges a message of the client.
   *
   * @param headers What comes with the message to the server, and not with those of other clients: such as its headers, as one text. Only its
   *   digest is kept.
   */
  fromClient(message: Message, headers?: string): Step;
  /** Judges a message of the server. */
  fromServer(message: Message): Step;
  /** Ends a request of the client that gets no answer any more: it could not be sent, or its stream is gone. */
  abandon(id: string | number): Step;
  /** Refuses what is held. Nothing is judged any more: of further messages, none goes on. */
  close(): Step;
}

/** What stands between the clients of one server and that server. It is its own first connection. */
export interface Guard extends Connection {
  /** Another connection: a process, an HTTP session, or a single request of the modern era. */
  connect(options?: ConnectionOptions): Connection;
  /**
   * Guards by another lock and policy from now on. Where the entry of the server or the policy changed, what was verified is dropped, and clients
   * that asked to hear of it hear that the lists changed. Where the lock has no entry of the server, everything is refused until one has.
   */
  replaceLock(lock: LockFile, policy: Policy): void;
  /**
   * What clients are shown of something that the server says beside its messages, such as a header or the metadata of its authorization: with
   * `withhold`, other words stand in place of each text that hides something. `undefined` where nothing of it can be shown.
   */
  shown(said: JsonValue): JsonValue | undefined;
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
export function createGuard(options: GuardOptions): Guard {
  const core = new GuardCore(options);
  const links = new Set<Link>();
  const connect = (connection: ConnectionOptions): Connection => {
    const link = new Link(core, connection);
    const dispatcher = new Dispatcher(link);
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
    shown: (said) => shown(core, said),
    replaceLock(lock, policy) {
      const isReplaced = core.replaceLock(lock, policy);
      for (const link of [...links]) {
        if (!core.isLocked) link.later((out) => link.refuseHeld(NOT_LOCKED, out));
        else if (isReplaced) link.later((out) => tellChanged(link, out));
      }
      core.emit({ kind: "replaced", from: "guard", outcome: "changed", correlation: core.nextId() });
    },
  };
}

function shown(core: GuardCore, said: JsonValue): JsonValue | undefined {
  const { hiddenTexts } = core.world;
  if (core.screen === "off" || !hasHiddenText(said, hiddenTexts)) return said;
  const left = core.screen === "withhold" ? withoutHiddenText({ said }, hiddenTexts)?.["said"] : said;
  const outcome = left === undefined ? "refused" : left === said ? "passed" : "changed";
  const reason = "the server says it beside its messages";
  core.emit({
    kind: "passed",
    from: "server",
    outcome,
    findings: ["guard/hidden-text"],
    reason,
    correlation: core.nextId(),
  });
  return left;
}

/** Tells a client that every list changed of which it asked to be told. */
function tellChanged(link: Link, out: Output): void {
  const kinds = [...new Map(LISTS.map((kind) => [kind.changed.method, kind])).values()];
  for (const { changed } of kinds) {
    if (isTold(link.serverCapabilities, changed)) out.write("client", { jsonrpc: "2.0", method: changed.method });
    for (const [id, filter] of link.subscriptions) {
      if (filter[changed.filter] !== true) continue;
      const params = { _meta: { "io.modelcontextprotocol/subscriptionId": id } };
      out.write("client", { jsonrpc: "2.0", method: changed.method, params });
    }
  }
}

/** Whether a server said in the handshake that it tells of changes. */
function isTold(capabilities: JsonObject, { capability }: ListKind["changed"]): boolean {
  const said = capabilities[capability];
  return isJsonObject(said) && said["listChanged"] === true;
}
