import type { GuardDecision } from "@agentprint/policy";

/** The subject of an event. */
export type GuardEventKind =
  /** A page of a list was verified. */
  | "listing"
  /** The greeting of the server was verified: capabilities, instructions, extensions. */
  | "capabilities"
  /** A call, the reading of a resource or the fetching of a prompt was judged. */
  | "call"
  /** The result of such a request was judged. */
  | "result"
  /** Someone was asked about a call, or has answered. */
  | "asked"
  /** The server requested something from the client: a sampling, an elicitation, its roots. */
  | "request"
  /** A message was refused, because both ends might read it differently, or because it exceeds a limit. */
  | "refused"
  /** A message that the guard does not judge was forwarded: an unknown method, a notification. */
  | "passed"
  /** The lock was replaced. */
  | "replaced"
  /** The guard itself failed. */
  | "fault";

/** The outcome for the message of an event. */
export type GuardOutcome = "passed" | "changed" | "refused" | "held" | "waiting";

/** SHA-256 digests, each of 64 lowercase hexadecimal digits. They are computed on first access. */
export interface EventDigests {
  /** The digest of the canonical text of the arguments of a call. */
  readonly arguments: string | undefined;
  /** The digest of the message with the result: of its bytes, or of its canonical text for a parsed value. */
  readonly result: string | undefined;
  /** The digest of the locked definition of the tool. */
  readonly tool: string | undefined;
  /** For a listing that verified all tools or all prompts: their set hash of *Tool definition hash v1*, as the server sent them. */
  readonly listing: string | undefined;
  /** The digest of the entry of the server in the lock. */
  readonly lock: string;
}

/** The arguments and the result as texts. They are made on access, and `JSON.stringify` of an event omits them. */
export interface EventContents {
  /** The canonical text of the arguments of a call. */
  readonly arguments: string | undefined;
  /** The message with the result as received, or its canonical text if the transport passed a parsed value. */
  readonly result: string | undefined;
}

/** The request of a client that an event is about, in the words of the client. */
export interface EventRequest {
  readonly id: string | number;
  /** The time of its arrival: milliseconds, from the clock of the guard. */
  readonly since: number;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string | undefined;
  /** The version of the protocol, if the request or the handshake states it. */
  readonly protocolVersion: string | undefined;
  /** The session of its connection, as the transport calls it. */
  readonly session: string | undefined;
  /** Returns a member of the request's metadata that is a text, such as `traceparent` of W3C Trace Context. */
  meta(name: string): string | undefined;
}

/** An action of the guard. Only `contents` holds arguments and results; no other member holds text of the server. */
export interface GuardEvent {
  readonly kind: GuardEventKind;
  /** The name of the server in the lock. */
  readonly server: string;
  readonly from: "client" | "server" | "guard";
  /** The method of the message, or of the request that it answers. */
  readonly method?: string;
  /** The name of the tool, as the client gave it. */
  readonly tool?: string;
  readonly outcome: GuardOutcome;
  /** The decision of the policy. */
  readonly decision: GuardDecision;
  /** The ids of the rules that matched, each once. */
  readonly findings: readonly string[];
  /** One sentence without text of the server. */
  readonly reason?: string;
  /** For a listing that verified all tools: the decision about each tool and its calls, by name. */
  readonly tools?: ReadonlyMap<string, GuardDecision>;
  /** For a result: the code of the error, or `tool_error` if the tool's result reports that it failed. */
  readonly failure?: number | "tool_error";
  readonly request?: EventRequest;
  readonly digests: EventDigests;
  readonly contents: EventContents;
  /** Milliseconds, from the clock of the guard. */
  readonly time: number;
  /** The id that a request and all events that follow from it share; unique in the life of the guard. */
  readonly correlation: string;
}
