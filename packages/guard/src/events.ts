import type { GuardDecision } from "@agentprint/policy";

/** What an event is about. */
export type GuardEventKind =
  /** A page of a list was verified. */
  | "listing"
  /** The greeting of the server was verified: capabilities, instructions, extensions. */
  | "capabilities"
  /** A call, a reading of a resource or a fetching of a prompt was judged. */
  | "call"
  /** Its result was judged. */
  | "result"
  /** Somebody was asked about a call, or has answered. */
  | "asked"
  /** The server asked the client for something: a sampling, an elicitation, its roots. */
  | "request"
  /** A message was not let through, because both ends might read it differently, or because it breaks a limit. */
  | "refused"
  /** A message that the guard does not judge went through: an unknown method, a notification. */
  | "passed"
  /** The lock was replaced. */
  | "replaced"
  /** The guard itself failed. */
  | "fault";

/** What happened to the message of an event. */
export type GuardOutcome = "passed" | "changed" | "refused" | "held" | "waiting";

/** SHA-256 digests, each of 64 lowercase hexadecimal digits. They are computed when they are first read. */
export interface EventDigests {
  /** Of the canonical text of the arguments of a call. */
  readonly arguments: string | undefined;
  /** Of the bytes of the message with the result, or of its canonical text where the transport gave a parsed value. */
  readonly result: string | undefined;
  /** Of the definition that the lock has of the tool. */
  readonly tool: string | undefined;
  /** Of the entry of the server in the lock. */
  readonly lock: string;
}

/** What was said, as texts. They are made when they are read, and `JSON.stringify` of an event leaves them out. */
export interface EventContents {
  /** The canonical text of the arguments of a call. */
  readonly arguments: string | undefined;
  /** The message with the result as it came, or its canonical text where the transport gave a parsed value. */
  readonly result: string | undefined;
}

/** The request of a client that an event is about, in the words of the client. */
export interface EventRequest {
  readonly id: string | number;
  /** When it came: milliseconds, from the clock of the guard. */
  readonly since: number;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly target: string | undefined;
  /** The version of the protocol, where the request or the handshake says it. */
  readonly protocolVersion: string | undefined;
  /** The session of its connection, as the transport calls it. */
  readonly session: string | undefined;
  /** A member of the metadata of the request that is a text, such as `traceparent` of W3C Trace Context. */
  meta(name: string): string | undefined;
}

/** Something that the guard did. Arguments and results are in `contents` alone, and no other text of the server is in it. */
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
  /** What the policy decided. */
  readonly decision: GuardDecision;
  /** The ids of the rules of what was found, each once. */
  readonly findings: readonly string[];
  /** One sentence without text of the server. */
  readonly reason?: string;
  /** Of a listing that verified the tools as a whole: what happens to each of them and to its calls, by its name. */
  readonly tools?: ReadonlyMap<string, GuardDecision>;
  /** Of a result: the code of the error, or `tool_error` where the result of a tool says that the tool failed. */
  readonly failure?: number | "tool_error";
  readonly request?: EventRequest;
  readonly digests: EventDigests;
  readonly contents: EventContents;
  /** Milliseconds, from the clock of the guard. */
  readonly time: number;
  /** The same for a request and everything that comes of it; unique in the life of the guard. */
  readonly correlation: string;
}
