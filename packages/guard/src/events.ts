import type { GuardDecision } from "@agentprint/policy";

/** The kind of event. */
export type GuardEventKind =
  /** A page of a list was verified. */
  | "listing"
  /** The server's greeting was verified: capabilities, instructions, extensions. */
  | "capabilities"
  /** A call, or a request to read a resource or to get a prompt, was judged. */
  | "call"
  /** The result of such a request was judged. */
  | "result"
  /** Someone was asked about a call, or answered. */
  | "asked"
  /** The server requested something from the client: sampling, an elicitation, or the client's roots. */
  | "request"
  /** A message was refused because both ends might read it differently, or because it exceeds a limit. */
  | "refused"
  /** A message that the guard does not judge was forwarded: an unknown method, a notification. */
  | "passed"
  /** The lock was replaced. */
  | "replaced"
  /** The guard itself failed. */
  | "fault";

/** The outcome for an event's message. */
export type GuardOutcome = "passed" | "changed" | "refused" | "held" | "waiting";

/** SHA-256 digests of 64 lowercase hexadecimal digits each. They are computed when they are first accessed. */
export interface EventDigests {
  /** The digest of the canonical text of a call's arguments. */
  readonly arguments: string | undefined;
  /** The digest of the message that contains the result: of its bytes or, for a parsed value, of its canonical text. */
  readonly result: string | undefined;
  /** The digest of the tool's locked definition. */
  readonly tool: string | undefined;
  /**
   * For a listing that verified all tools or all prompts, the set hash (*Tool definition hash v1*) of the definitions
   * as the server sent them.
   */
  readonly listing: string | undefined;
  /** The digest of the server's lock entry. */
  readonly lock: string;
}

/**
 * The arguments and the result as text. They are created when they are accessed, and `JSON.stringify` of an event omits
 * them.
 */
export interface EventContents {
  /** The canonical text of a call's arguments. */
  readonly arguments: string | undefined;
  /**
   * The message that contains the result, as received or, if the transport passed a parsed value, as canonical text.
   */
  readonly result: string | undefined;
}

/** The client's request that an event is about, as the client stated it. */
export interface EventRequest {
  readonly id: string | number;
  /** When the request arrived: milliseconds, from the guard's clock. */
  readonly since: number;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string | undefined;
  /** The protocol version, if the request or the handshake states it. */
  readonly protocolVersion: string | undefined;
  /** The session of the request's connection, as the transport calls it. */
  readonly session: string | undefined;
  /** Returns a string member of the request's metadata, such as `traceparent` of W3C Trace Context. */
  meta(name: string): string | undefined;
}

/**
 * An action that the guard took. Only `contents` holds arguments and results; no other member holds text from the
 * server.
 */
export interface GuardEvent {
  readonly kind: GuardEventKind;
  /** The server's name in the lock. */
  readonly server: string;
  readonly from: "client" | "server" | "guard";
  /** The method of the message, or of the request that it answers. */
  readonly method?: string;
  /** The tool's name, as the client gave it. */
  readonly tool?: string;
  readonly outcome: GuardOutcome;
  /** The policy's decision. */
  readonly decision: GuardDecision;
  /** The ids of the rules that matched, each once. */
  readonly findings: readonly string[];
  /** One sentence without text from the server. */
  readonly reason?: string;
  /** For a listing that verified all tools, the decision on each tool and its calls, by name. */
  readonly tools?: ReadonlyMap<string, GuardDecision>;
  /** For a result, the code of the error, or `tool_error` if the tool's result reports a failure. */
  readonly failure?: number | "tool_error";
  readonly request?: EventRequest;
  readonly digests: EventDigests;
  readonly contents: EventContents;
  /** Milliseconds, from the guard's clock. */
  readonly time: number;
  /** The id that a request and all events that result from it share; unique in the life of the guard. */
  readonly correlation: string;
}
