import type { JsonObject } from "@agentprint/canonical-json";
import type { Era, Limits, View } from "@agentprint/mcp";
import type { Channel, LoggedLines } from "./channel/channel.ts";
import type { ClientProfile } from "./session/client-profiles.ts";
import type { VisitTarget } from "./target.ts";

/**
 * Creates a channel to a target for one session in an era; the visit opens and closes the channel. Returns `undefined`
 * if the target is started or called as usual. `maxBytes` is the maximum number of bytes that the server may send in
 * the session.
 */
export type ChannelFactory = (
  target: VisitTarget,
  era: Era,
  profile: ClientProfile,
  maxBytes: number,
) => Channel | undefined;

/** The options of a visit. */
export interface VisitOptions {
  /**
   * The id of a client in {@link CLIENT_PROFILES}, or `bare`: this program under its own name, without capabilities.
   */
  readonly client: string;
  /** The views: `client` is that client, `bare` is a nameless client without capabilities. */
  readonly views: readonly View[];
  /** Capabilities that replace the ones that the client declares. */
  readonly capabilities?: JsonObject;
  /** `auto` for both eras, one era, or one version. */
  readonly protocol: "auto" | Era | (string & {});
  /**
   * How long an era may stay silent before it counts as missing, in milliseconds. Default: twice the time that the
   * other era took for its first answer, but at least a second.
   */
  readonly probeTimeout?: number;
  /** How long the visit waits for notifications after the last answer, in milliseconds. */
  readonly settle: number;
  /** Whether prompts without required arguments, and text resources, are also read. */
  readonly contents: boolean;
  readonly limits: Limits;
  /** Creates channels that replace processes and connections. Default: every target is started or called. */
  readonly channel?: ChannelFactory;
  /** Called when the server runs, or is about to be called, in every era that is visited at the same time. */
  readonly onOpen?: () => void;
  /** Ends the visit when it aborts. */
  readonly signal?: AbortSignal;
  /** Called with a sentence about each omitted answer; the sentence can quote the server. */
  readonly warn?: (sentence: string) => void;
  /**
   * Called once with each sentence about an answer that the visit accepts but that some client or the guard refuses.
   */
  readonly onNote?: (sentence: string) => void;
  /** Called at the end with the log output that the server wrote to stdout in all sessions, if there was any. */
  readonly onLogged?: (logged: LoggedLines) => void;
}
