import { isJsonObject, type JsonObject, type JsonValue } from "@agentprint/canonical-json";
import { type Era, eraOf, type Limits } from "@agentprint/mcp";
import { type HeaderAnnotation, paramHeaders, readParamHeaders } from "@agentprint/mcp/headers";
import type { Channel } from "./channel/channel.ts";
import { checkArgument, checkTarget } from "./check-argument.ts";
import { VisitError } from "./errors.ts";
import { NoEra } from "./no-era.ts";
import { requireNoSurvivors } from "./process/survivors-error.ts";
import { type AnswerServer, answerAsVisitor } from "./session/client-answers.ts";
import { type ClientProfile, clientProfile, DEFAULT_CLIENT } from "./session/client-profiles.ts";
import { createChannel, createSseChannel, withStderr } from "./session/connection.ts";
import { type Greeting, greet } from "./session/greet.ts";
import { Session } from "./session/session.ts";
import type { VisitTarget } from "./target.ts";

/** Options of {@link openSession}. */
export interface SessionSettings {
  /** An era, or the only accepted protocol version. */
  readonly protocol: Era | (string & {});
  /** The client to present. Default: Claude Code. */
  readonly client?: ClientProfile;
  /** Capabilities that replace the client's own. */
  readonly capabilities?: JsonObject;
  readonly limits: Limits;
  /** Answers the server's requests. Default: every request is declined. */
  readonly answer?: AnswerServer;
  /** Called with every notification of the server. */
  readonly onNotification?: (method: string, params: JsonObject) => void;
}

/** An open session with a server. */
export interface OpenSession {
  readonly era: Era;
  readonly protocolVersion: string;
  /** The result of `initialize` or `server/discover`; absent if a server has no `server/discover`. */
  readonly greeting: JsonObject | undefined;
  /**
   * Sends a request and returns its raw result. A tool call repeats, as headers, the parameters that the tool marks
   * with `x-mcp-header`; a tool is known once `tools/list` has been requested in this session.
   *
   * @throws {@link VisitError} `server-error` if the answer is a JSON-RPC error, whose code is `rpcCode`.
   * @throws {@link VisitError} `server-timeout`, `server-ended`, `server-unreachable`, `server-garbage`, `server-limit`
   * if there is no answer.
   */
  request(method: string, params?: JsonObject): Promise<JsonObject>;
  notify(method: string, params?: JsonObject): Promise<void>;
  /**
   * Opens the notification stream: a subscription to every list, or the stream of the handshake versions. `timeout` is
   * in milliseconds.
   */
  listen(timeout: number): Promise<void>;
  /** Returns the last lines that the server wrote to stderr. */
  stderrTail(): string;
  /**
   * Ends the session and the server.
   *
   * @throws {@link VisitError} `server-survived` if some of the server's processes could not be ended.
   */
  close(): Promise<void>;
}

/**
 * Opens a session over the transports that a visit uses, to call tools, get prompts and read resources.
 *
 * @throws {@link VisitError} `invalid-target`, `server-not-started`, `server-unreachable` if the launch cannot be used.
 * @throws {@link VisitError} `server-ended`, `server-timeout`, `server-garbage`, `server-error`, `server-limit`,
 * `server-unstable` if the server does not answer the requests for its lists.
 * @throws {@link VisitError} `server-survived` if processes of the server could not be ended.
 */
export async function openSession(target: VisitTarget, settings: SessionSettings): Promise<OpenSession> {
  checkTarget("target", target);
  checkArgument("settings", settings, "object");
  const { protocol, limits } = settings;
  const version = protocol === "legacy" || protocol === "modern" ? undefined : protocol;
  const era = version === undefined ? (protocol as Era) : eraOf(version);
  if (era === undefined) {
    throw new VisitError("invalid-target", `the protocol version ${protocol} is not supported`, {
      expected: "legacy, modern, or a version in either era",
    });
  }
  const known = settings.client ?? clientProfile(DEFAULT_CLIENT);
  if (known === undefined) throw new TypeError("the default client has a profile");
  const profile = { ...known, capabilities: settings.capabilities ?? known.capabilities };
  const open = (channel: Channel): Promise<OpenSession> => openOver(channel, era, profile, settings, version);
  try {
    return await open(createChannel(target, era, profile, limits.maxBytes));
  } catch (error) {
    const sse = era === "legacy" ? createSseChannel(target, profile, limits.maxBytes, error) : undefined;
    if (sse !== undefined) return await open(sse);
    throw error instanceof NoEra ? error.reason : error;
  }
}

async function openOver(
  channel: Channel,
  era: Era,
  profile: ClientProfile,
  settings: SessionSettings,
  version: string | undefined,
): Promise<OpenSession> {
  const { clientInfo, capabilities } = profile;
  const { limits, onNotification, answer = answerAsVisitor(capabilities) } = settings;
  const session = new Session(channel, {
    era,
    clientInfo,
    capabilities,
    answer,
    ...(onNotification && { onNotification }),
  });
  try {
    await session.open(limits.connectTimeout);
    return new LiveSession(channel, session, await greet(session, profile, limits, version), limits.requestTimeout);
  } catch (error) {
    session.fail(new VisitError("aborted", "the session is over"));
    const why = withStderr(error, channel);
    requireNoSurvivors(await channel.close(), why);
    throw why;
  }
}

class LiveSession implements OpenSession {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly greeting: JsonObject | undefined;
  readonly #channel: Channel;
  readonly #session: Session;
  readonly #timeout: number;
  readonly #headers = new Map<string, readonly HeaderAnnotation[]>();

  constructor(channel: Channel, session: Session, { protocolVersion, result }: Greeting, timeout: number) {
    this.era = session.era;
    this.protocolVersion = protocolVersion;
    this.greeting = result;
    this.#channel = channel;
    this.#session = session;
    this.#timeout = timeout;
  }

  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const { name, arguments: args } = params;
    const marked = method === "tools/call" && typeof name === "string" ? this.#headers.get(name) : undefined;
    const headers = this.era === "modern" && marked !== undefined ? paramHeaders(marked, args) : {};
    const result = await this.#session.request(method, params, { timeout: this.#timeout, headers });
    if (method === "tools/list" && Array.isArray(result["tools"]))
      for (const tool of result["tools"]) this.#learn(tool);
    return result;
  }

  notify(method: string, params: JsonObject = {}): Promise<void> {
    return this.#session.notify(method, params);
  }

  listen(timeout: number): Promise<void> {
    return this.#session.listen(timeout);
  }

  stderrTail(): string {
    return this.#channel.stderrTail();
  }

  async close(): Promise<void> {
    this.#session.fail(new VisitError("aborted", "the session is over"));
    requireNoSurvivors(await this.#channel.close(), undefined);
  }

  #learn(tool: JsonValue): void {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") return;
    const read = readParamHeaders(tool);
    this.#headers.set(tool["name"], "headers" in read ? read.headers : []);
  }
}
